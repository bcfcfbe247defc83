import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { postgresPrograms } from '../../helpers/installed';
import { freePort } from './freePort';

const run = promisify(execFile);

export interface Cluster {
  /** Where new databases are created. */
  readonly url: string;
  /** Creates an empty database. */
  createDatabase(): Promise<string>;
  /** Stops it as an operator does: open transactions are rolled back, clients are notified and disconnected. */
  halt(): Promise<void>;
  /** Kills all its processes, without a chance to clean up. */
  kill(): Promise<void>;
  /** The folder of its files. */
  readonly data: string;
  /** Starts it again after `halt` or `kill`. */
  start(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a private PostgreSQL on a free loopback port; its files are removed at the end. Where it is `durable`, it
 * syncs to the disk what is committed, as it does by default. `configuration` is added to its postgresql.conf.
 */
export async function startCluster({ durable = false, configuration = '' } = {}): Promise<Cluster> {
  const programs = postgresPrograms;
  if (!programs) throw new Error('no PostgreSQL here');
  const directory = await mkdtemp(join(tmpdir(), 'fulcrum-postgres-'));
  const account = await postgresAccount();
  if (account) await chown(directory, account.uid, account.gid);
  const data = join(directory, 'data');
  const pg = (program: string, ...args: string[]) =>
    run(join(programs, program), args, { ...account, cwd: directory });

  await pg(
    'initdb',
    '-D',
    data,
    '-U',
    'test',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--data-checksums',
  );
  await appendFile(join(data, 'postgresql.conf'), configuration);
  const port = await freePort();
  const options = `-h 127.0.0.1 -p ${port} -k '' -c fsync=${durable ? 'on' : 'off'} -c max_connections=60`;
  const start = async () => {
    await pg('pg_ctl', '-D', data, '-w', '-l', join(directory, 'log'), '-o', options, 'start');
  };
  const signal = async (name: NodeJS.Signals, to = pid) => {
    // By its pid: the files may be gone already, and the process too.
    try {
      process.kill(to, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const readPid = async () =>
    Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10);
  await start();
  let pid = await readPid();

  const url = `postgresql://test@127.0.0.1:${port}/postgres`;
  return {
    url,
    data,
    createDatabase: () => createDatabase(url),
    async halt() {
      await pg('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop');
    },
    async kill() {
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]);
      await signal('SIGKILL');
      // The process of a connection would otherwise finish its work.
      for (const child of stdout.trim().split(/\s+/)) await signal('SIGKILL', Number(child));
    },
    async start() {
      // Processes of a server that was killed hold its memory for a moment.
      for (let tries = 1; ; tries++) {
        try {
          await start();
          break;
        } catch (error) {
          if (tries === 20) throw error;
        }
      }
      pid = await readPid();
    },
    async stop() {
      await signal('SIGQUIT');
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Creates a database: an empty one, or a copy of another that nothing uses. */
export async function createDatabase(url: string, original = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name} template ${original}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: name }).href;
}

/** Who runs PostgreSQL where we are root, which it refuses to be; undefined: we. */
export async function postgresAccount(): Promise<{ uid: number; gid: number } | undefined> {
  return process.getuid?.() === 0 ? idsOf('postgres') : undefined;
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string) => Number((await run('id', [flag, user])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}
