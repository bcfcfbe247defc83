import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../helpers/eventually';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { adminTool } from '../admin/adminCommand';
import { freePort } from '../support/freePort';
import { hasEnded } from '../support/hasEnded';
import { bundleServer, ServerProcess } from '../support/serverProcess';
import { PASSWORD } from '../support/testServer';
import { formOf, jpeg } from '../uploads/pictures';

const EMAIL = 'ada@example.com';

interface Ports {
  /** Of the server, and of the proxy with and without TLS. */
  server: number;
  tls: number;
  plain: number;
}

/** A proxy with its file of deploy/, which serves localhost with a certificate of its own on other ports. */
type StartProxy = (folder: string, ports: Ports) => ChildProcess;

function replaced(file: string, changes: readonly [from: string, to: string][]): string {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

const nginx: StartProxy = (folder, { server, tls, plain }) => {
  const certificate = ['-keyout', `${folder}/key.pem`, '-out', `${folder}/cert.pem`];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...made, ...certificate], { stdio: 'ignore' });
  const site = replaced('deploy/nginx.conf', [
    ['listen 80', `listen ${plain}`],
    ['listen 443', `listen ${tls}`],
    ['listen [::]:80', `listen [::1]:${plain}`],
    ['listen [::]:443', `listen [::1]:${tls}`],
    ['example.com;', 'localhost;'],
    ['127.0.0.1:3000', `127.0.0.1:${server}`],
    ['/etc/letsencrypt/live/example.com/fullchain.pem', `${folder}/cert.pem`],
    ['/etc/letsencrypt/live/example.com/privkey.pem', `${folder}/key.pem`],
  ]);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${paths}
    ${site} }`,
  );
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
};

const caddy: StartProxy = (folder, { server, tls, plain }) => {
  const site = replaced('deploy/Caddyfile', [
    ['example.com {', 'localhost {'],
    ['127.0.0.1:3000', `127.0.0.1:${server}`],
  ]);
  const own = `{
    admin off
    local_certs
    skip_install_trust
    http_port ${plain}
    https_port ${tls}
  }`;
  writeFileSync(join(folder, 'Caddyfile'), `${own}\n${site}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  return spawn('caddy', args, { env });
};

/** Options of the unit of systemd, but for port and data directory. */
function unitOptions(): string[] {
  const unit = readFileSync('deploy/systemd/fulcrum.service', 'utf8');
  const [, line = ''] =
    /^ExecStart=\/usr\/bin\/node dist\/server\/main\.js (.*)$/m.exec(unit) ?? [];
  const options = line.replace('--port 3000 --data /var/lib/fulcrum', '').trim().split(/\s+/);
  expect(options).toEqual(['--no-auto-review']);
  const [, proxies = ''] = /^Environment=FULCRUM_TRUST_PROXY=(.*)$/m.exec(unit) ?? [];
  return [...options, '--trust-proxy', proxies];
}

interface Answer {
  code: number;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every call
  data: any;
}

/** Calls over TLS whose certificate nobody vouches for. */
class Visitor {
  token = '';
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  async call(path: string, body?: object | FormData): Promise<Answer> {
    const encoded = new Response(body instanceof FormData ? body : JSON.stringify(body ?? {}));
    const type = encoded.headers.get('content-type') ?? '';
    const headers = {
      lang: 'en',
      origin: this.origin,
      ...(this.token && { authorization: this.token }),
      ...(body && { 'content-type': body instanceof FormData ? type : 'application/json' }),
    };
    const bytes = Buffer.from(await encoded.arrayBuffer());
    return new Promise((resolve, reject) => {
      const method = body ? 'POST' : 'GET';
      const options = { method, headers, rejectUnauthorized: false };
      const asked = request(this.origin + path, options, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        try {
          resolve(JSON.parse(text));
        } catch {
          reject(new Error(`${response.statusCode} ${text}`));
        }
      });
      asked.on('error', reject);
      asked.end(body ? bytes : undefined);
    });
  }

  async balance(): Promise<string> {
    return (await this.call('/v1/api/main/wallet/getBalance')).data.balance;
  }

  /** Logs a websocket in and returns what the server says. */
  async socketLogin(): Promise<unknown> {
    const { origin } = this;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/ws`, {
      rejectUnauthorized: false,
      origin,
    });
    try {
      return await new Promise((resolve, reject) => {
        socket.on('error', reject);
        socket.on('open', () => socket.send(JSON.stringify({ type: 'login', token: this.token })));
        socket.on('message', (data) => {
          const message = JSON.parse(String(data));
          if (message.type === 'login') resolve(message);
        });
      });
    } finally {
      socket.terminate();
    }
  }
}

describe.each([
  ['nginx', nginx, missing('nginx', 'OpenSSL')],
  ['Caddy', caddy, missing('Caddy')],
])('one server behind %s', (_name, startProxy, reason) => {
  unless(describe, reason)('as operations.md#one-server has it', { timeout: 300_000 }, () => {
    let dist: string;
    let folder: string;
    let proxy: ChildProcess | undefined;
    const servers: ServerProcess[] = [];

    beforeAll(async () => {
      dist = await bundleServer();
      folder = mkdtempSync(join(tmpdir(), 'fulcrum-one-'));
    }, 600_000);
    afterAll(async () => {
      proxy?.kill();
      for (const server of servers) if (!hasEnded(server.child)) await server.kill();
      for (const each of [dist, folder]) rmSync(each, { recursive: true, force: true });
    });

    const serve = (data: string, ...args: string[]): ServerProcess => {
      const server = new ServerProcess(dist, data, ...args);
      servers.push(server);
      return server;
    };

    inTurn(it)(
      'takes a user, a deposit approved by hand, and a backup that is restored',
      async () => {
        const ports = { server: await freePort(), tls: await freePort(), plain: await freePort() };
        const data = join(folder, 'data');
        mkdirSync(join(folder, 'proxy'));
        proxy = startProxy(join(folder, 'proxy'), ports);
        let printed = '';
        for (const stream of [proxy.stdout, proxy.stderr]) {
          stream?.on('data', (chunk) => {
            printed += chunk;
          });
        }
        const started = [...unitOptions(), '--port', String(ports.server)];
        const server = serve(data, ...started);
        await server.url();
        const visitor = new Visitor(`https://localhost:${ports.tls}`);
        await eventually(async () => {
          const list = await visitor.call('/v1/api/forex/trade_list').catch((error: Error) => {
            throw new Error(`${error.message}\n${printed}`);
          });
          expect(list.code).toBe(1);
        });

        const plain = await fetch(`http://localhost:${ports.plain}/`, { redirect: 'manual' });
        expect(plain.status).toBeGreaterThanOrEqual(301);
        expect(plain.headers.get('location')).toMatch(/^https:\/\/localhost/);

        const sent = await visitor.call('/api/notify/send_email', {
          to: EMAIL,
          area_id: 0,
          type: 1,
        });
        expect(sent).toMatchObject({ code: 1 });
        const code = () => /Mail to ada@example\.com: (\d{6})/.exec(server.output)?.[1];
        await eventually(() => expect(code()).toBeDefined());
        const registered = await visitor.call('/api/user/register', {
          ...{
            type: 'email',
            area_id: 0,
            account: EMAIL,
            password: PASSWORD,
            re_password: PASSWORD,
          },
          ...{ invite_code: /Invitation code: (\S+)/.exec(server.output)?.[1], sms_code: code() },
          ...{ key: '', mobile: '' },
        });
        expect(registered).toMatchObject({ code: 1 });
        visitor.token = registered.data.token;
        expect(await visitor.socketLogin()).toEqual({ type: 'login', code: 1 });
        // Nobody has to trust the proxy's word: it gives the visitor's address, and the server takes it.
        expect(server.output).not.toContain('WARNING: a proxy');
        // A phone of the network would get past the proxy.
        expect(server.output).not.toContain('--host');
        expect(server.output).toMatch(
          /Z request requestId=\S+ .* route=\/api\/user\/register status=200 answer=1 /,
        );

        const proof = await visitor.call('/api/common/image_upload', formOf(await jpeg()));
        const deposit = new URLSearchParams({
          ...{ number: '250', charge_id: '1', address: 'TSandboxDoNotSendRea1CoinsHere1111' },
          proofImg: proof.data.url,
        });
        const { data: submitted } = await visitor.call(`/api/quickCharge/submit?${deposit}`);
        const approve = ['approve', 'deposit', String(submitted.id)];
        expect(await adminTool(data, approve)).toMatchObject({
          code: 2,
          out: expect.stringMatching(
            /available: 0 USD before, 250 USD after\.\nNothing has changed: --confirm does it\.$/,
          ),
        });
        expect(await visitor.balance()).toBe('0.000000');
        expect(await adminTool(data, [...approve, '--confirm'])).toMatchObject({ code: 0 });
        expect(await visitor.balance()).toBe('250.000000');

        server.child.kill('SIGTERM');
        expect(await server.exit).toBe(0);
        const backups = join(folder, 'backups');
        mkdirSync(backups);
        for (const day of ['01', '02', '03']) {
          writeFileSync(join(backups, `2026-01-${day}T03:15:00Z.tar.gz`), '');
        }
        const others = ['2026-01-before-upgrade.tar.gz', 'uploads'];
        for (const other of others) writeFileSync(join(backups, other), '');
        // It runs in the directory of the program.
        symlinkSync(resolve(dist), join(folder, 'dist'));
        const names = { FULCRUM_DATA: data, FULCRUM_BACKUPS: backups, FULCRUM_BACKUPS_KEPT: '2' };
        const env = { ...process.env, ...names, DATABASE_URL: '' };
        execFileSync(resolve('deploy/backup-one.sh'), { cwd: folder, env });
        const [former, operators, newest = '', ...more] = readdirSync(backups).sort();
        expect([operators, former, ...more]).toEqual([
          '2026-01-before-upgrade.tar.gz',
          '2026-01-03T03:15:00Z.tar.gz',
          'uploads',
        ]);
        const file = join(backups, newest);
        const other = join(folder, 'other');
        for (const kept of ['uploads', 'secret']) {
          cpSync(join(data, kept), join(other, kept), { recursive: true });
        }
        expect(await serve(other, 'restore', file).exit).toBe(0);
        await serve(other, ...started).url();
        expect(await visitor.balance()).toBe('250.000000');
        visitor.token = '';
        const login = { account: EMAIL, password: PASSWORD, login_type: 'email' };
        visitor.token = (await visitor.call('/api/user/loginForU', login)).data.token;
        expect(await visitor.balance()).toBe('250.000000');
        expect(await visitor.socketLogin()).toEqual({ type: 'login', code: 1 });
      },
    );
  });
});
