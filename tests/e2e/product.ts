import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_NODE_OPTIONS } from '../samples';
import { freePort } from '../server/support/freePort';

/** Directory of the build. FULCRUM_DIST chooses another one. */
const dist = process.env['FULCRUM_DIST'] ?? 'dist';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const serverProgram = resolve(root, dist, 'server/main.js');

/** The built product, as `npm start` runs it, on its own port and data directory. */
export class Product {
  readonly url: string;
  private child: ChildProcess | undefined;
  private output = '';
  /** Another build can be taken before a new start. */
  program = serverProgram;
  private readonly port: number;
  private readonly data: string;
  private readonly args: readonly string[];

  private constructor(port: number, data: string, args: readonly string[]) {
    this.port = port;
    this.url = `http://localhost:${port}`;
    this.data = data;
    this.args = args;
  }

  /** `PORT` in an argument is replaced by the port. */
  static async start(...args: string[]): Promise<Product> {
    const port = await freePort();
    const data = mkdtempSync(join(tmpdir(), 'fulcrum-e2e-'));
    // The data directory prepared by usedData.ts.
    const used = process.env['FULCRUM_USED_DATA'];
    if (used) cpSync(used, data, { recursive: true });
    const product = new Product(
      port,
      data,
      args.map((arg) => arg.replace('PORT', `${port}`)),
    );
    await product.start();
    return product;
  }

  /** Starts it (again) and waits until it serves. */
  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        ...SERVER_NODE_OPTIONS,
        ...[this.program, '--port', `${this.port}`, '--data', this.data, '--seed', '1'],
        ...this.args,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
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
  }

  /** Waits for output, such as a code. Returns the last match. */
  async printed(pattern: RegExp, from = 0): Promise<string[]> {
    for (;;) {
      const found = [...this.output.slice(from).matchAll(new RegExp(pattern, 'g'))].at(-1);
      if (found) return [...found];
      if (!this.child?.stdout) throw new Error(`it is not running:\n${this.output}`);
      await once(this.child.stdout, 'data');
    }
  }

  /** Length of the output so far, for `printed`. */
  get printedSoFar(): number {
    return this.output.length;
  }

  /** Runs an operator's command, as `npm run desk`. `input` is the file of a news item. */
  async desk(args: readonly string[], input = ''): Promise<string> {
    const tool = spawn(process.execPath, ['scripts/desk.mjs', '--data', this.data, ...args], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
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

  /** Kills the process without a shutdown. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Stops it and removes its data. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.data, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    this.child = undefined;
    this.output = '';
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
