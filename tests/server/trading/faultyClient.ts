import { setTimeout as wait } from 'node:timers/promises';
import type { Envelope } from '#domain/api/envelope';
import type { RecordedAccount, Recorder } from '../../histories/history';

/** Before a request that was refused with 503 is sent again; shorter than `Retry-After` says. */
const PAUSE_MS = 100;
/** Before a request whose key is still processed is sent again: at first, and at most after doubling. */
const STILL_RUNNING_MS = { first: 25, most: 800 };

class Unavailable extends Error {}

/** What can go wrong with one call. */
export type Fault = 'none' | 'lost reply' | 'duplicate request' | 'race of 100';

export interface ServerAddress {
  /** The address of the server; waits while it is down. */
  url(): Promise<string>;
  /** The address did not answer. */
  failed(url: string): void;
}

/** A client that repeats a request with the same key until it has the answer. */
export class FaultyClient {
  /** Number of occurrences of each event. */
  readonly happened: Record<string, number> = {};
  private readonly reach: ServerAddress;
  /** Of users whose calls are recorded, by token. */
  private readonly recorded = new Map<string, RecordedAccount>();

  constructor(reach: ServerAddress) {
    this.reach = reach;
  }

  /** From now on what a new demo user sees is recorded. */
  record(recorder: Recorder, token: string): void {
    const name = `user ${recorder.accounts.length + 1}`;
    this.recorded.set(token, recorder.account(name, '100000'));
  }

  /**
   * The final answer of one request: neither 409 nor a broken connection. Throws where two answers
   * differ.
   */
  async request<T>(
    path: string,
    headers: Record<string, string>,
    fault: Fault,
  ): Promise<Envelope<T>> {
    this.count(fault);
    const call = this.recorded
      .get(headers['authorization'] ?? '')
      ?.invoke(path, headers['idempotency-key']);
    if (fault === 'lost reply') {
      // Sometimes before the server has received it, sometimes during its work.
      const ms = 1 + ((this.happened[fault] ?? 0) % 25);
      await this.ask(path, headers, AbortSignal.timeout(ms)).catch(() => {});
    }
    const requests = fault === 'duplicate request' ? 2 : fault === 'race of 100' ? 100 : 1;
    const answers = await Promise.all(
      Array.from({ length: requests }, () => this.repeatUntilAnswered<T>(path, headers)),
    );
    const [first] = answers;
    for (const answer of answers) {
      if (JSON.stringify(answer) !== JSON.stringify(first)) {
        throw new Error(`two answers to one request: ${JSON.stringify([first, answer])}`);
      }
    }
    call?.answered(first as Envelope<T>);
    return first as Envelope<T>;
  }

  private async repeatUntilAnswered<T>(
    path: string,
    headers: Record<string, string>,
  ): Promise<Envelope<T>> {
    for (let pause = STILL_RUNNING_MS.first; ; ) {
      const url = await this.reach.url();
      try {
        const answer = await this.ask<T>(path, headers, undefined, url);
        if (answer.code !== 409) return answer;
        this.count('409');
        await wait(pause);
        pause = Math.min(2 * pause, STILL_RUNNING_MS.most);
      } catch (error) {
        const unavailable = error instanceof Unavailable;
        this.count(unavailable ? '503' : 'broken connection');
        this.reach.failed(url);
        if (unavailable) await wait(PAUSE_MS);
      }
    }
  }

  private async ask<T>(
    path: string,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
    url?: string,
  ): Promise<Envelope<T>> {
    const base = url ?? (await this.reach.url());
    const response = await fetch(base + path, { headers, ...(signal ? { signal } : {}) });
    if (response.status === 503) throw new Unavailable();
    if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
    return (await response.json()) as Envelope<T>;
  }

  private count(what: string): void {
    this.happened[what] = (this.happened[what] ?? 0) + 1;
  }
}
