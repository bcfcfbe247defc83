import type { Envelope } from '#domain/api/envelope';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import type { BookedWork, Transactions, UnitOfWork } from '../db/transactions';
import { Rendered, refusalEnvelope, toEnvelope } from '../http/envelope';
import { Refusal } from '../http/refusal';
import { type IdempotentRequest, StoredAnswers } from './storedAnswers';

/** A changing call of a user. */
export interface ChangingCall<Work extends BookedWork = UnitOfWork> {
  userId: number;
  /** Undefined where the client sent no Idempotency-Key: then nothing is stored. */
  request: IdempotentRequest | undefined;
  language: Language;
  /** Makes the change and returns what a route's handler returns; throws Refusal. */
  job(work: Work): Promise<unknown>;
}

/** Serves changing calls. */
export interface ChangingCalls<Work extends BookedWork = UnitOfWork> {
  /** The clock for deadlines; it never runs backwards (protocol.md#deadlines). */
  now(): UnixMs;
  /**
   * Runs the job once and stores its answer, or its refusal, in the same transaction; the
   * same request later gets that answer. Throws a Refusal of 409 while the first one
   * runs, of 422 where call or parameters differ (D15).
   */
  serve(call: ChangingCall<Work>): Promise<Rendered>;
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
    this.answers = new StoredAnswers(now);
    this.now = now;
  }

  async serve({ request, language, job }: ChangingCall): Promise<Rendered> {
    if (!request) return new Rendered(toEnvelope(await this.transactions.run(job), language));
    return this.alone(request, () =>
      this.transactions.exclusively(() => this.storedOrFirst(request, language, job)),
    );
  }

  /** Runs `action` unless the same request runs already. */
  async alone<T>(request: IdempotentRequest, action: () => Promise<T>): Promise<T> {
    const name = nameOf(request);
    const running = this.running.get(name);
    if (running !== undefined) {
      throw running === request.fingerprint ? stillRunning() : otherParameters();
    }
    this.running.set(name, request.fingerprint);
    try {
      return await action();
    } finally {
      this.running.delete(name);
    }
  }

  private async storedOrFirst(
    request: IdempotentRequest,
    language: Language,
    job: (work: UnitOfWork) => Promise<unknown>,
  ): Promise<Rendered> {
    const { transactions, answers } = this;
    const [stored] = await answers.find(transactions.db, [request]);
    if (stored) return replay(stored, request);
    try {
      return await transactions.runNested(async (work) => {
        const envelope = toEnvelope(await job(work), language);
        await answers.store(work, request, envelope);
        return new Rendered(envelope);
      });
    } catch (error) {
      if (!(error instanceof Refusal) || !isStored(error)) throw error;
      const envelope = refusalEnvelope(error, language);
      await transactions.runNested((work) => answers.store(work, request, envelope));
      return new Rendered(envelope);
    }
  }
}

export function nameOf({ userId, key }: Pick<IdempotentRequest, 'userId' | 'key'>): string {
  return `${userId} ${key}`;
}

/** The stored answer; throws a Refusal where it is of another call. */
export function replay(
  stored: { fingerprint: string; envelope: string },
  request: IdempotentRequest,
): Rendered {
  if (stored.fingerprint !== request.fingerprint) throw otherParameters();
  return new Rendered(JSON.parse(stored.envelope) as Envelope<unknown>);
}

/** Codes of refusals that are not stored: the next request with the key is served. */
const UNSTORED = [999, 409, 422];

export function isStored({ code }: Refusal): boolean {
  return !UNSTORED.includes(code);
}

function stillRunning(): Refusal {
  return new Refusal(409, 'server.keyUnderWay');
}

function otherParameters(): Refusal {
  return new Refusal(422, 'server.keyOfOtherCall');
}
