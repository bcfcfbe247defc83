import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** BARE=1 hides what the tests use beside Node and Chromium, as on a machine that does not have it. */
const bare = Boolean(process.env['BARE']);

/** The folder of PostgreSQL's programs, which Debian does not put on the path. */
export const postgresPrograms = bare
  ? undefined
  : [
      process.env['POSTGRES_BIN'],
      ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`),
    ].find((folder) => folder && existsSync(join(folder, 'postgres')));

const runs = (program: string, flag: string) => !bare && spawnSync(program, [flag]).status === 0;

const INSTALLED = {
  NATS: () => runs('nats-server', '--version'),
  HAProxy: () => runs('haproxy', '-v'),
  PostgreSQL: () => postgresPrograms !== undefined,
  nginx: () => runs('nginx', '-v'),
  Caddy: () => runs('caddy', 'version'),
  OpenSSL: () => runs('openssl', 'version'),
};

/** A server that some tests need, and that a machine may not have. */
export type ServerProgram = keyof typeof INSTALLED;

/** What `npm run cluster` starts. */
export const CLUSTER: readonly ServerProgram[] = ['NATS', 'PostgreSQL', 'HAProxy'];

/** Why tests of these servers are skipped; undefined where all are installed. */
export function missing(...programs: readonly ServerProgram[]): string | undefined {
  const names = programs.filter((program) => !INSTALLED[program]());
  return names.length > 0 ? `not installed: ${names.join(', ')}` : undefined;
}

export const postgresInstalled = missing('PostgreSQL') === undefined;

/** Why tests of what other systems do not have are skipped. */
export const onlyOnLinux = process.platform === 'linux' ? undefined : 'only on Linux';
export const notOnWindows = process.platform === 'win32' ? 'not on Windows' : undefined;

/** Why tests that only a soak runs are skipped. */
export const onlyInSoak = process.env['SOAK'] ? undefined : 'only in npm run soak';
