import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '@playwright/test';
import { otherZone } from '../../../scripts/lib/zones.mjs';
import { CLUSTER, missing } from '../../helpers/installed';
import { SERVER_NODE_OPTIONS } from '../../helpers/samples';
import { freePort } from '../../server/support/freePort';
import { hasEnded } from '../../server/support/hasEnded';

/** Directory of the build. FULCRUM_DIST chooses another one. */
export const dist = process.env['FULCRUM_DIST'] ?? 'dist';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const serverProgram = resolve(root, dist, 'server/main.js');

/** E2E_CLUSTER=1: the tests run against clusters (CONTRIBUTING.md). */
export const inCluster = Boolean(process.env['E2E_CLUSTER']);

/** Of a cluster: the accounts are divided, and each engine has its own codes and reviews. */
const engines = [1, 2];

/** The built product, as `npm start` or `npm run cluster` runs it, on its own port and data directory. */
export class Product {
  readonly url: string;
  private child: ChildProcess | undefined;
  /** Of a cluster: reads what its engines write into their logs. */
  private logs: ChildProcess | undefined;
  private output = '';
  /** Another build can be taken before a new start. */
  program = serverProgram;
  private readonly port: number;
  /** Its data directory. */
  readonly data: string;
  private readonly args: readonly string[];

  private constructor(port: number, data: string, args: readonly string[]) {
    this.port = port;
    this.url = `http://localhost:${port}`;
    this.data = data;
    this.args = args;
  }

  /** `PORT` in an argument is replaced by the port. */
  static async start(...args: string[]): Promise<Product> {
    // The data directory prepared by usedData.ts.
    const used = inCluster ? undefined : process.env['FULCRUM_USED_DATA'];
    return Product.startOn(used, args);
  }

  /** As `start`, on a copy of a data directory; `program` is that of another build. */
  static async startOn(
    original: string | undefined,
    args: readonly string[],
    program = serverProgram,
  ): Promise<Product> {
    const reason = inCluster ? missing(...CLUSTER) : undefined;
    test.skip(reason !== undefined, reason);
    test.skip(inCluster && args.includes('--replay'), 'a replay stays in one process');
    const port = await freePort();
    const data = mkdtempSync(join(tmpdir(), 'fulcrum-e2e-'));
    if (original) cpSync(original, data, { recursive: true });
    const product = new Product(
      port,
      data,
      args.map((arg) => arg.replace('PORT', `${port}`)),
    );
    product.program = program;
    await product.start();
    return product;
  }

  /** Starts it (again) and waits until it serves. */
  async start(): Promise<void> {
    const place = ['--port', `${this.port}`, '--data', this.data];
    const settings = ['--seed', '1', ...this.args];
    const roles = ['--feeds', '2', '--engines', `${engines.length}`, '--gateways', '2'];
    const command = inCluster
      ? ['scripts/cluster.mjs', ...roles, '--server', this.program, ...place, '--', ...settings]
      : [...SERVER_NODE_OPTIONS, this.program, ...place, ...settings];
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: {
        ...process.env,
        ...(process.env['TZ'] && { TZ: otherZone(process.env['TZ']) }),
        ...(inCluster && { DATABASE_URL: '' }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const exited = once(child, 'exit');
    const ready = new Promise<void>((resolve) => {
      const read = (chunk: Buffer) => {
        this.output += chunk.toString();
        if (this.output.includes(`:${this.port}`)) resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
    });
    const outcome = await Promise.race([ready, exited.then(() => 'exited' as const)]);
    if (outcome === 'exited') throw new Error(`the server did not start:\n${this.output}`);
    if (inCluster) this.readLogs();
  }

  private readLogs(): void {
    const files = engines.map((engine) => join(this.data, 'logs', `engine-${engine}.log`));
    const options = ['--quiet', '--lines=+1', '--follow=name'];
    this.logs = spawn('tail', [...options, ...files], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.logs.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
  }

  /** Waits for output, such as a code. Returns the last match. */
  async printed(pattern: RegExp, from = 0): Promise<string[]> {
    for (;;) {
      const found = [...this.output.slice(from).matchAll(new RegExp(pattern, 'g'))].at(-1);
      if (found) return [...found];
      const source = this.logs ?? this.child;
      if (!source?.stdout) throw new Error(`it is not running:\n${this.output}`);
      await once(source.stdout, 'data');
    }
  }

  /** Length of the output so far, for `printed`. */
  get printedSoFar(): number {
    return this.output.length;
  }

  /**
   * Runs an operator's command, as `npm run admin`. `input` is the file of a news item. In a cluster the
   * first engine that can runs it, and a list is that of all engines.
   */
  async admin(args: readonly string[], input = ''): Promise<string> {
    if (!inCluster) return admin(this.data, args, input);
    const folders = engines.map((engine) =>
      join(this.data, engine === 1 ? 'server' : `server-${engine}`),
    );
    if (args[0] === 'list') {
      const lists = await Promise.all(folders.map((folder) => admin(folder, args, input)));
      const since = (line: string) => line.split('  ')[1] ?? '';
      return lists
        .flatMap((list) => list.split('\n'))
        .sort((a, b) => since(a).localeCompare(since(b)))
        .join('\n');
    }
    let reason: unknown;
    for (const folder of folders) {
      try {
        return await admin(folder, args, input);
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }

  /** Kills the process without a shutdown; the processes of a cluster are ended. */
  kill(): Promise<void> {
    return this.end(inCluster ? 'SIGTERM' : 'SIGKILL');
  }

  /** Stops it and removes its data. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    this.logs?.kill();
    this.logs = undefined;
    this.output = '';
    if (!child || hasEnded(child)) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

async function admin(data: string, args: readonly string[], input: string): Promise<string> {
  const tool = spawn(
    process.execPath,
    ['scripts/admin.mjs', '--data', data, '--confirm', ...args],
    {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let said = '';
  tool.stdout.on('data', (chunk) => {
    said += chunk;
  });
  tool.stderr.on('data', (chunk) => {
    said += chunk;
  });
  tool.stdin.end(input);
  const [code] = await once(tool, 'close');
  if (code !== 0) throw new Error(said);
  return said.trim();
}
