import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { FEED_CORE, pinned } from './browser';
import type { FeedOrder, FeedReport } from './feed';

/** A feed in its own process, on its own core where the machine has two. */
export class FeedProcess {
  readonly port: number;
  /** Unix ms of the subscription that started the quotes. */
  readonly begun: Promise<number>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.begun = reported(child, 'begun').then(({ at }) => at);
    // A rejection is handled by those who await it, if any.
    this.begun.catch(() => {});
  }

  /** `within` is a command that runs the feed elsewhere, such as in a namespace. */
  static async start(order: FeedOrder, within: readonly string[] = []): Promise<FeedProcess> {
    const [program, ...args] = [
      ...within,
      ...pinned(`${FEED_CORE}`),
      process.execPath,
      join(import.meta.dirname, 'feed.js'),
    ];
    const child = spawn(program ?? process.execPath, args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const listening = reported(child, 'listening');
    child.send(order);
    return new FeedProcess(child, (await listening).port);
  }

  /** Stops sending. Returns when each message was sent, unix ms, and the largest delay. */
  async stop(): Promise<{ sentAt: number[]; late: number }> {
    const ended = reported(this.#child, 'ended');
    this.#child.send('stop');
    return ended;
  }

  /** Bytes of messages to all sockets so far. */
  async sent(): Promise<number> {
    const counted = reported(this.#child, 'counted');
    this.#child.send('count');
    return (await counted).bytes;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

function reported<T extends FeedReport['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<FeedReport, { type: T }>> {
  return new Promise((resolve, reject) => {
    const hear = (report: FeedReport) => {
      if (report.type !== type) return;
      child.off('message', hear);
      resolve(report as Extract<FeedReport, { type: T }>);
    };
    child.on('message', hear);
    child.once('exit', () => reject(new Error('the feed has ended')));
  });
}
