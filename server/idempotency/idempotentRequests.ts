import { CODE_OTHER_CONTENT, CODE_SIGNED_OUT, type Envelope } from '#domain/api/envelope';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import type { Span } from '../core/trace';
import type { Transactions, UnitOfWork, WriteOnlyWork } from '../db/transactions';
import { RenderedEnvelope, refusalEnvelope, toEnvelope } from '../http/envelope';
import { Refusal } from '../http/refusal';
import { type IdempotentRequest, type StoredAnswer, StoredAnswers } from './storedAnswers';

/** A changing call of a user. */
export interface ChangingCall<Work extends WriteOnlyWork = UnitOfWork> {
  userId: number;
  /** Undefined where the client sent no Idempotency-Key: then nothing is stored. */
  request: IdempotentRequest | undefined;
  language: Language;
  /** As the log names the request. */
  requestId?: string;
  /** The request in its trace. */
  span?: Span | undefined;
  /** Makes the change and returns what a route's handler returns; throws Refusal. */
  job(work: Work): Promise<unknown>;
}

/** Serves changing calls. */
export interface ChangingCalls<Work extends WriteOnlyWork = UnitOfWork> {
  /** The clock for deadlines; it never runs backwards (protocol.md#deadlines). */
  now(): UnixMs;
  /**
   * Runs the job once and stores its answer, or its refusal, in the same transaction; the
   * same request later gets that answer. Throws a Refusal of 409 while the first one
   * runs, of 422 where call or parameters differ.
   */
  serve(call: ChangingCall<Work>): Promise<RenderedEnvelope>;
}

/**
 * Serves a changing call once for each user and Idempotency-Key, each in its own transaction
 * (protocol.md#idempotency).
 */
export class IdempotentRequests implements ChangingCalls {
  readonly transactions: Transactions;
  readonly answers: StoredAnswers;
  readonly now: () => UnixMs;
  /** Fingerprints of the requests that run now, by user and key. */
  private readonly running = new Map<string, string>();

  constructor(transactions: Transactions, now: () => UnixMs) {
    this.transactions = transactions;
    this.answers = new StoredAnswers(transactions.db, now);
    this.now = now;
  }

  serve(call: ChangingCall): Promise<RenderedEnvelope> {
    const { transactions, answers } = this;
    const { request } = call;
    return this.alone(request, () => {
      const turn = call.span?.child('wait for turn');
      return transactions.exclusively(async () => {
        turn?.end();
        const [stored] = request ? await answers.find([request]) : [];
        return this.storedOrFirst(call, stored, (write) =>
          traced([call], ([span]) => transactions.runNested((work) => write({ ...work, span }))),
        );
      });
    });
  }

  /**
   * Runs `action` unless the same request runs already: then gives the stored answer, which that one only repeats, or
   * throws a Refusal of 409 where it is the first attempt.
   */
  async alone(
    request: IdempotentRequest | undefined,
    action: () => Promise<RenderedEnvelope>,
  ): Promise<RenderedEnvelope> {
    if (!request) return action();
    const name = nameOf(request);
    const running = this.running.get(name);
    if (running !== undefined) {
      if (running !== request.fingerprint) throw otherParameters();
      const [stored] = await this.answers.find([request]);
      if (!stored) throw stillRunning();
      return replay(stored, request);
    }
    this.running.set(name, request.fingerprint);
    try {
      return await action();
    } finally {
      this.running.delete(name);
    }
  }

  /**
   * The stored answer; without one, the answer or the refusal of the job, stored with its change. `run` gives each a
   * transaction. Throws a Refusal that is not stored.
   */
  async storedOrFirst<Work extends WriteOnlyWork>(
    { request, language, requestId, job: unnamed }: ChangingCall<Work>,
    stored: StoredAnswer | undefined,
    run: (write: (work: Work) => Promise<RenderedEnvelope>) => Promise<RenderedEnvelope>,
  ): Promise<RenderedEnvelope> {
    const job = (work: Work) => unnamed(partOf(work, requestId));
    if (!request)
      return run(async (work) => new RenderedEnvelope(toEnvelope(await job(work), language)));
    if (stored) return replay(stored, request);
    const store = async (work: Work, envelope: Envelope<unknown>) => {
      await this.answers.store(work, request, envelope);
      return new RenderedEnvelope(envelope);
    };
    try {
      return await run(async (work) => store(work, toEnvelope(await job(work), language)));
    } catch (error) {
      if (!(error instanceof Refusal) || UNSTORED.includes(error.code)) throw error;
      return run((work) => store(work, refusalEnvelope(error, language)));
    }
  }
}

/** Runs the transaction that these calls share, as a part of the trace of each. */
export async function traced<T>(
  calls: readonly Pick<ChangingCall, 'span'>[],
  run: (spans: readonly (Span | undefined)[]) => Promise<T>,
): Promise<T> {
  const spans = calls.map(({ span }) => span?.child('transaction', { calls: calls.length }));
  try {
    const result = await run(spans);
    for (const span of spans) span?.end();
    return result;
  } catch (error) {
    // A refusal is an answer.
    for (const span of spans) span?.end(error instanceof Refusal ? undefined : error);
    throw error;
  }
}

/** The work of one request: what it does after the commit belongs to its trace, whoever shares the transaction. */
function partOf<Work extends WriteOnlyWork>(work: Work, requestId: string | undefined): Work {
  const { span } = work;
  const onCommit = (effect: () => void) => work.onCommit(() => span?.run(effect));
  return { ...work, requestId, ...(span && { onCommit }) };
}

export function nameOf({ userId, key }: Pick<IdempotentRequest, 'userId' | 'key'>): string {
  return `${userId} ${key}`;
}

/** Codes of refusals that are not stored: the next request with the key is served. */
const UNSTORED = [CODE_SIGNED_OUT, 409, CODE_OTHER_CONTENT];

function replay(stored: StoredAnswer, request: IdempotentRequest): RenderedEnvelope {
  if (stored.fingerprint !== request.fingerprint) throw otherParameters();
  return new RenderedEnvelope(JSON.parse(stored.envelope) as Envelope<unknown>);
}

function stillRunning(): Refusal {
  return new Refusal(409, 'server.keyUnderWay');
}

function otherParameters(): Refusal {
  return new Refusal(CODE_OTHER_CONTENT, 'server.keyOfOtherCall');
}
