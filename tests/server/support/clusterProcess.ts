import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from './freePort';
import { hasEnded } from './hasEnded';

/** A process of the cluster, as the command says it: the last one of its name. */
export interface Started {
  role: string;
  name: string;
  pid: number;
}

/** `npm run cluster` with data of its own, on a free port. */
export class ClusterProcess {
  readonly url: string;
  readonly port: number;
  output = '';
  private readonly child: ChildProcess;
  private readonly folder: string;
  private readonly program: string;

  private readonly mounted: string[] = [];

  private constructor(
    port: number,
    program: string,
    args: string[],
    environment: object,
    megabytes: number,
  ) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), 'fulcrum-cluster-'));
    // PostgreSQL runs as its own user, where the tests run as root.
    chmodSync(this.folder, 0o711);
    if (megabytes > 0) this.mount(join(this.data, 'postgres'), megabytes);
    const own = ['--port', `${port}`, '--data', this.data, '--server', program];
    this.child = spawn(process.execPath, ['scripts/cluster.mjs', ...own, ...args], {
      env: { ...process.env, DATABASE_URL: '', ...environment },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
  }

  /**
   * Resolves once it serves. Throws what it said where it ended instead. `megabytes`: PostgreSQL has a disk of its own, of this
   * size, where this process may mount one.
   */
  static async start(
    program: string,
    args: string[] = [],
    environment: Record<string, string> = {},
    megabytes = 0,
  ): Promise<ClusterProcess> {
    const cluster = new ClusterProcess(await freePort(), program, args, environment, megabytes);
    while (!cluster.output.includes('Fulcrum: http')) {
      if (hasEnded(cluster.child) || !cluster.child.stdout) throw new Error(cluster.output);
      await Promise.race([once(cluster.child.stdout, 'data'), once(cluster.child, 'exit')]);
    }
    return cluster;
  }

  get data(): string {
    return join(this.folder, 'all');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Those that were started last, by name. */
  get processes(): Started[] {
    const last = new Map<string, Started>();
    for (const [, role = '', index, pid] of this.output.matchAll(/^(\w+) (\d+) (\d+)$/gm)) {
      last.set(`${role} ${index}`, { role, name: `${role} ${index}`, pid: Number(pid) });
    }
    return [...last.values()];
  }

  /** Sends a signal to a process and its own children, of which PostgreSQL has many. */
  signal({ pid }: Pick<Started, 'pid'>, name: NodeJS.Signals): void {
    for (const each of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(each, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  /** Whether every process runs that was started, and page and market answer on the one address. */
  async isWhole(): Promise<boolean> {
    if (!this.processes.every(({ pid }) => isThere(pid))) return false;
    const paths = ['/readyz', '/v1/api/forex/getCategories'];
    const found = await Promise.all(
      paths.map((path) =>
        fetch(this.url + path, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined),
      ),
    );
    return found.every((answer) => answer?.ok);
  }

  async whole(): Promise<void> {
    while (!(await this.isWhole())) await after(100);
  }

  /** The address of a database. */
  databaseUrl(name: string): string {
    const settings = readFileSync(join(this.data, 'postgres/postgresql.auto.conf'), 'utf8');
    const port = /^port = (\d+)/m.exec(settings)?.[1];
    const password = readFileSync(join(this.data, 'postgres-password'), 'utf8');
    return `postgresql://fulcrum:${password}@127.0.0.1:${port}/${name}`;
  }

  /** What the audit says of the books in a database; its status is 0 where they are right. */
  audit(database = 'postgres'): { status: number | null; said: string } {
    const args = [this.program, 'audit', '--database-url', this.databaseUrl(database)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args);
    return { status, said: `${stdout}${stderr}` };
  }

  /** The last lines of the logs of a role, for the message of a test that failed. */
  logOf(name: string): string {
    return readFileSync(join(this.data, 'logs', `${name.replace(' ', '-')}.log`), 'utf8');
  }

  async stop(): Promise<void> {
    if (!hasEnded(this.child)) {
      // A paused process would never end.
      for (const each of this.processes) this.signal(each, 'SIGCONT');
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exited;
    }
    for (const folder of this.mounted) spawnSync('umount', ['-l', folder]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The disk of PostgreSQL; undefined where it has none of its own. */
  get disk(): string | undefined {
    return this.mounted[0];
  }

  private mount(folder: string, megabytes: number): void {
    mkdirSync(folder, { recursive: true });
    const options = `size=${megabytes}m,mode=700`;
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    if (status === 0) this.mounted.push(folder);
  }
}

function childrenOf(pid: number): number[] {
  try {
    const found = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).toString();
    return found.trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    // It has none.
    return [];
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a feed or an engine has the database: a standby does not listen. */
export async function serves(pid: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${portOf(pid)}/healthz`).catch(() => undefined);
  return answer?.ok ?? false;
}

/** That of a process's command line; 0 where it is gone. */
export function portOf(pid: number): number {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return Number(args[args.indexOf('--port') + 1]);
  } catch {
    return 0;
  }
}
