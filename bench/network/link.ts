import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A network between the page and its server. */
export interface Network {
  name: string;
  roundTripMs: number;
  /** Of each direction; 0: without a limit. */
  kilobits: number;
  /** HAProxy with TLS and HTTP/2 is before the server. */
  tls?: true;
}

const own = `fulcrum-${process.pid}`;
const SERVER = { namespace: `${own}-server`, address: '10.83.0.1' };
const PHONE = { namespace: `${own}-phone`, address: '10.83.0.2' };

/** Why this machine cannot have two namespaces with a link between them; undefined where it can. */
export function missingLink(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  if (spawnSync('python3', ['--version']).status !== 0) return 'the link is a program in Python';
  return spawnSync('ip', ['netns', 'list']).status === 0 ? undefined : 'iproute2 is not installed';
}

/**
 * A server's and a phone's network namespace, and the link between them (tunnel.py). It delays the first round trip of a connection
 * too, which a proxy cannot.
 */
export class Link {
  readonly address = SERVER.address;
  readonly inServer = ['ip', 'netns', 'exec', SERVER.namespace];
  readonly folder = mkdtempSync(join(tmpdir(), 'fulcrum-link-'));
  #tunnel: ChildProcess | undefined;

  constructor() {
    for (const { namespace } of [SERVER, PHONE]) ip('netns', 'add', namespace);
    process.once('exit', () => this.#remove());
    process.once('SIGINT', () => process.exit(130));
  }

  /** A program that runs this one in the phone's namespace. */
  programInPhone(program: string): string {
    const file = join(this.folder, 'inPhone.sh');
    writeFileSync(file, `#!/bin/sh\nexec ip netns exec ${PHONE.namespace} ${program} "$@"\n`);
    chmodSync(file, 0o700);
    return file;
  }

  /** Opens the link, with this network in place of a former one. */
  async open({ roundTripMs, kilobits }: Network): Promise<void> {
    await this.close();
    const ends = [SERVER, PHONE].map(({ namespace, address }) => `${namespace}=${address}`);
    const program = join(process.cwd(), 'bench/network/tunnel.py');
    this.#tunnel = spawn('python3', [program, ...ends, `${roundTripMs}`, `${kilobits}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const failed = once(this.#tunnel, 'exit').then(() => {
      throw new Error('the link has ended');
    });
    // Later it is ended on purpose.
    failed.catch(() => {});
    await Promise.race([once(this.#tunnel.stdout as Readable, 'data'), failed]);
  }

  async close(): Promise<void> {
    if (this.#tunnel?.exitCode !== null) return;
    const exited = once(this.#tunnel, 'exit');
    this.#tunnel.kill();
    await exited;
  }

  #remove(): void {
    this.#tunnel?.kill();
    for (const { namespace } of [SERVER, PHONE]) ip('netns', 'delete', namespace);
    rmSync(this.folder, { recursive: true });
  }
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}
