import type { Envelope } from '#domain/api/envelope';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import type { Transactions, UnitOfWork } from '../db/transactions';
import { Rendered, refusalEnvelope, toEnvelope } from '../http/envelope';
import { Refusal } from '../http/refusal';
import { type IdempotentRequest, StoredAnswers } from './storedAnswers';

/** Serves a changing call once for each user and Idempotency-Key (protocol.md#idempotency). */
export class IdempotentRequests {
  readonly transactions: Transactions;
  private readonly answers: StoredAnswers;
  /** Fingerprints of the requests that run now, by user and key. */
  private readonly running = new Map<string, string>();

  constructor(transactions: Transactions, now: () => UnixMs) {
    this.transactions = transactions;
    this.answers = new StoredAnswers(now);
  }

  /**
   * Runs `job` once and stores its answer, or its refusal, in the same transaction; the same
   * request later gets that answer. Throws a Refusal of 409 while the first one runs, of 422
   * where call or parameters differ (D15).
   */
  async once(
    request: IdempotentRequest,
    language: Language,
    job: (work: UnitOfWork) => Promise<unknown>,
  ): Promise<Rendered> {
    const name = `${request.userId} ${request.key}`;
    const running = this.running.get(name);
    if (running !== undefined) {
      throw running === request.fingerprint ? stillRunning() : otherParameters();
    }
    this.running.set(name, request.fingerprint);
    try {
      return await this.transactions.exclusively(() => this.storedOrFirst(request, language, job));
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
    const stored = await answers.find(transactions.db, request);
    if (stored) {
      if (stored.fingerprint !== request.fingerprint) throw otherParameters();
      return new Rendered(JSON.parse(stored.envelope) as Envelope<unknown>);
    }
    try {
      return await transactions.runNested(async (work) => {
        const envelope = toEnvelope(await job(work), language);
        await answers.store(work.tx, request, envelope);
        return new Rendered(envelope);
      });
    } catch (error) {
      if (!(error instanceof Refusal) || !isStored(error)) throw error;
      const envelope = refusalEnvelope(error, language);
      await answers.store(transactions.db, request, envelope);
      return new Rendered(envelope);
    }
  }
}

/** Codes of refusals that are not stored: the next request with the key is served. */
const UNSTORED = [999, 409, 422];

function isStored({ code }: Refusal): boolean {
  return !UNSTORED.includes(code);
}

function stillRunning(): Refusal {
  return new Refusal(409, 'server.keyUnderWay');
}

function otherParameters(): Refusal {
  return new Refusal(422, 'server.keyOfOtherCall');
}
