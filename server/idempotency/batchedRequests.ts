import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UnixMs } from '#domain/core/time';
import type { Span } from '../core/trace';
import type { WriteOnlyWork } from '../db/transactions';
import { isUnavailable } from '../db/unavailable';
import type { RenderedEnvelope } from '../http/envelope';
import { Refusal } from '../http/refusal';
import {
  type ChangingCall,
  type ChangingCalls,
  type IdempotentRequests,
  nameOf,
  traced,
} from './idempotentRequests';

interface WaitingCall {
  call: ChangingCall<WriteOnlyWork>;
  /** The wait in the call's trace. */
  turn: Span | undefined;
  resolve(answer: RenderedEnvelope): void;
  reject(error: unknown): void;
}

/** Calls of one transaction at most. */
const MOST = 200;

/**
 * Serves changing calls that only book (BookedWork): all that wait when their turn
 * comes run one after the other in one transaction, which one statement writes. The
 * guarantees are those of IdempotentRequests: key, change and answer commit together.
 */
export class BatchedRequests implements ChangingCalls<WriteOnlyWork> {
  private readonly requests: IdempotentRequests;
  private readonly prepare: (work: WriteOnlyWork, userIds: readonly number[]) => Promise<void>;
  private waiting: WaitingCall[] = [];

  /** `prepare` reads what the jobs of these users need, at the start of each transaction. */
  constructor(
    requests: IdempotentRequests,
    prepare: (work: WriteOnlyWork, userIds: readonly number[]) => Promise<void>,
  ) {
    this.requests = requests;
    this.prepare = prepare;
  }

  now(): UnixMs {
    return this.requests.now();
  }

  /** How many calls wait for their turn. */
  get length(): number {
    return this.waiting.length;
  }

  serve(call: ChangingCall<WriteOnlyWork>): Promise<RenderedEnvelope> {
    return this.requests.alone(
      call.request,
      () =>
        new Promise((resolve, reject) => {
          const turn = call.span?.child('wait for turn');
          this.waiting.push({ call, turn, resolve, reject });
          if (this.waiting.length === 1) this.waitForTurn();
        }),
    );
  }

  private waitForTurn(): void {
    this.requests.transactions
      .exclusively(() => this.takeTurn())
      .catch((error: unknown) => {
        for (const { reject } of this.waiting.splice(0)) reject(error);
      });
  }

  private async takeTurn(): Promise<void> {
    // The embedded database lets no request in while it works: read those that have arrived meanwhile.
    await nextTurn();
    const transactionBatch = this.waiting.splice(0, MOST);
    for (const { turn } of transactionBatch) turn?.end();
    if (this.waiting.length > 0) this.waitForTurn();
    try {
      await this.run(transactionBatch);
    } catch (error) {
      // One of them may have caused the error, so try each alone. Not after a broken connection: they may be committed.
      if (transactionBatch.length === 1 || isUnavailable(error))
        for (const { reject } of transactionBatch) reject(error);
      else for (const each of transactionBatch) await this.run([each]).catch(each.reject);
    }
  }

  private async run(transactionBatch: readonly WaitingCall[]): Promise<void> {
    const { transactions } = this.requests;
    const calls = transactionBatch.map(({ call }) => call);
    const settle = await traced(calls, (spans) =>
      transactions.runWriteOnly((work) => this.writeRows(transactionBatch, work, spans)),
    );
    void answer(settle, transactions.concurrent);
  }

  /** Returns what settles the calls after the commit. */
  private async writeRows(
    transactionBatch: readonly WaitingCall[],
    work: WriteOnlyWork,
    spans: readonly (Span | undefined)[],
  ): Promise<(() => void)[]> {
    const { answers } = this.requests;
    const requests = transactionBatch.flatMap(({ call }) => call.request ?? []);
    const stored = new Map(
      (await answers.find(requests)).map((answer) => [nameOf(answer), answer]),
    );
    await this.prepare(work, [...new Set(transactionBatch.map(({ call }) => call.userId))]);
    const outcomes: (() => void)[] = [];
    for (const [index, { call, resolve, reject }] of transactionBatch.entries()) {
      const own = { ...work, span: spans[index] };
      const { request } = call;
      const answer = request && stored.get(nameOf(request));
      try {
        const rendered = await this.requests.storedOrFirst(call, answer, (write) => write(own));
        outcomes.push(() => resolve(rendered));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        outcomes.push(() => reject(error));
      }
    }
    return outcomes;
  }
}

/** Settles calls; beside a database that is `concurrent` one by one, so that the next turn begins meanwhile. */
async function answer(calls: readonly (() => void)[], concurrent: boolean): Promise<void> {
  for (const settle of calls) {
    if (concurrent) await nextTurn();
    settle();
  }
}
