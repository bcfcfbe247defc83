import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes deploy/haproxy.cfg into a folder, with the TLS of its own comment and a certificate that nobody vouches for. `tls` and
 * `server` are addresses with ports; it has one server for all. Returns the path.
 */
export function writeTlsProxy(folder: string, tls: string, server: string): string {
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  const parts = ['cert.pem', 'key.pem'].map((name) => join(folder, name));
  const [certificate = '', key = ''] = parts;
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const site = join(folder, 'site.pem');
  writeFileSync(site, parts.map((part) => readFileSync(part, 'utf8')).join(''));
  const text = readFileSync('deploy/haproxy.cfg', 'utf8');
  const [, bind = ''] = /# With TLS: (bind .*)/.exec(text) ?? [];
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    text
      .replace(/^ {2}bind .*$/m, () => `  ${bind}`)
      .replaceAll(' :443 ', ` ${tls} `)
      .replaceAll('/etc/fulcrum/site.pem', site)
      // It asks for health, which a feed of the benchmark does not have.
      .replaceAll(/^ {2}option httpchk .*$/gm, '')
      .replace('maxconn 9000', 'maxconn 100')
      .replaceAll(/(server \S+ )127\.0\.0\.1:\d+/g, `$1${server}`),
  );
  return file;
}
