import type { Envelope } from '#domain/api/envelope';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/units';
import type { Db, Tx } from '../db/open';
import type { UnitOfWork } from '../db/unitOfWork';
import { Rendered, refusalEnvelope, toEnvelope } from '../http/envelope';
import { Refusal } from '../http/refusal';
import { type IdempotentRequest, StoredAnswers } from './storedAnswers';

export interface ChangesOptions {
  db: Db;
  now(): UnixMs;
  /** Runs `work` alone: no other change, and no tick, is in between (`Market.between`). */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Goes into every transaction last: the position of the feed (`Market.commitPosition`). */
  seal(tx: Tx): Promise<void>;
}

/**
 * Where everything that changes money or orders passes: one change at a time,
 * each in one transaction, told to the world after its commit.
 */
export class Changes {
  private readonly options: ChangesOptions;
  private readonly answers: StoredAnswers;
  private readonly underWay = new Map<string, string>();

  constructor(options: ChangesOptions) {
    this.options = options;
    this.answers = new StoredAnswers(options.now);
  }

  /** Runs one change alone and in a transaction. A Refusal thrown inside undoes it. */
  run<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    return this.options.exclusive(() => this.transact(job));
  }

  /** As `run`, for whoever has the feed held already: the listener of its ticks. */
  async transact<T>(job: (work: UnitOfWork) => Promise<T>): Promise<T> {
    const effects: (() => void)[] = [];
    const undoing: (() => void)[] = [];
    const result = await this.options.db
      .transaction(async (tx) => {
        const done = await job({
          tx,
          onCommit: (effect) => effects.push(effect),
          onRollback: (undo) => undoing.push(undo),
        });
        await this.options.seal(tx);
        return done;
      })
      .catch((error: unknown) => {
        for (const undo of undoing) undo();
        throw error;
      });
    for (const effect of effects) effect();
    return result;
  }

  /**
   * Runs the change of a tap once and stores its answer in the same transaction;
   * the same tap later gets that answer, refusals too. Throws a Refusal of 409
   * while the first is under way, of 422 where call or parameters differ (D15).
   */
  async once(
    tap: IdempotentRequest,
    language: Language,
    job: (work: UnitOfWork) => Promise<unknown>,
  ): Promise<Rendered> {
    const name = `${tap.userId} ${tap.key}`;
    const running = this.underWay.get(name);
    if (running !== undefined) {
      throw running === tap.fingerprint ? underWay() : otherParameters();
    }
    this.underWay.set(name, tap.fingerprint);
    try {
      return await this.options.exclusive(() => this.firstOrStored(tap, language, job));
    } finally {
      this.underWay.delete(name);
    }
  }

  private async firstOrStored(
    tap: IdempotentRequest,
    language: Language,
    job: (work: UnitOfWork) => Promise<unknown>,
  ): Promise<Rendered> {
    const { db } = this.options;
    const stored = await this.answers.find(db, tap);
    if (stored) {
      if (stored.fingerprint !== tap.fingerprint) throw otherParameters();
      return new Rendered(JSON.parse(stored.envelope) as Envelope<unknown>);
    }
    try {
      return await this.transact(async (work) => {
        const envelope = toEnvelope(await job(work), language);
        await this.answers.store(work.tx, tap, envelope);
        return new Rendered(envelope);
      });
    } catch (error) {
      if (!(error instanceof Refusal) || !isStored(error)) throw error;
      const envelope = refusalEnvelope(error, language);
      await this.answers.store(db, tap, envelope);
      return new Rendered(envelope);
    }
  }
}

const UNSTORED = [999, 409, 422];

function isStored({ code }: Refusal): boolean {
  return !UNSTORED.includes(code);
}

function underWay(): Refusal {
  return new Refusal(409, 'server.keyUnderWay');
}

function otherParameters(): Refusal {
  return new Refusal(422, 'server.keyOfOtherCall');
}
