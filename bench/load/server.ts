import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Ticks of the kernel's clock in a second: USER_HZ is 100 on every Linux. */
const TICKS = 100;
const MIB = 2 ** 20;

export interface ServerOptions {
  /** The built program, dist/server/main.js. */
  program: string;
  /** Undefined: the embedded database, in a folder of its own. */
  databaseUrl: string | undefined;
  /** Options of its market. */
  market: readonly string[];
}

/** Options of a simulated market. */
export const simulated = (instruments: number, ticksPerSecond: number): string[] => [
  ...['--instruments', `${instruments}`],
  ...['--ticks-per-second', `${ticksPerSecond}`],
];

/** CPU that a process and its threads have used, ms, and the memory it holds, MB. */
export interface Usage {
  cpuMs: number;
  memoryMb: number;
}

/** The server under load, in a process of its own. Linux only: it reads /proc. */
export class LoadedServer {
  readonly port: number;
  /** From spawning the process to its first answer. */
  readonly startMs: number;
  private readonly child: ChildProcess;
  private readonly data: string;
  private readonly options: ServerOptions;

  private constructor(
    child: ChildProcess,
    port: number,
    startMs: number,
    data: string,
    options: ServerOptions,
  ) {
    this.child = child;
    this.port = port;
    this.startMs = startMs;
    this.data = data;
    this.options = options;
  }

  static async start(options: ServerOptions): Promise<LoadedServer> {
    const data = mkdtempSync(join(tmpdir(), 'fulcrum-load-'));
    const begun = performance.now();
    const child = spawn(
      process.execPath,
      [options.program, ...['--port', '0', '--data', data, '--seed', '1'], ...options.market],
      {
        cwd: dirname(dirname(dirname(options.program))),
        env: { ...process.env, DATABASE_URL: options.databaseUrl ?? '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    for (;;) {
      const port = /^Fulcrum: http:\/\/\S*:(\d+)/m.exec(output)?.[1];
      if (port) {
        const startMs = performance.now() - begun;
        return new LoadedServer(child, Number(port), startMs, data, options);
      }
      if (child.exitCode !== null || !child.stdout) throw new Error(output);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  usage(): Usage {
    const cpuMs = cpuOf(this.pid);
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
    return { cpuMs, memoryMb: (kib * 1024) / MIB };
  }

  /** Ends it, checks its books, and forgets its data. Returns what the audit said. */
  async stop(): Promise<string> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
    const { program, databaseUrl } = this.options;
    const audit = spawn(process.execPath, [program, 'audit', '--data', this.data], {
      env: { ...process.env, DATABASE_URL: databaseUrl ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [audit.stdout, audit.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    const [code] = await once(audit, 'close');
    rmSync(this.data, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the audit failed:\n${said}`);
    return said.trim();
  }
}

/** CPU that a process and its threads have used, ms. */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may hold spaces; it ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
}

/** What a load came to, and how long the server took to start. */
export type Measured<Result> = Result & { startMs: number };

/** Starts a server, puts it under load, ends it and checks its books. */
export async function underLoad<Result>(
  options: ServerOptions,
  load: (server: LoadedServer) => Promise<Result>,
): Promise<Measured<Result>> {
  const server = await LoadedServer.start(options);
  try {
    return { ...(await load(server)), startMs: server.startMs };
  } finally {
    await server.stop();
  }
}
