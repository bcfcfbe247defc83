import { and, eq, gt, lte } from 'drizzle-orm';
import type { Envelope } from '#domain/api/envelope';
import type { UnixMs } from '#domain/core/time';
import type { Db } from '../db/open';
import { answers } from '../db/schema';

/** User and key of a changing request (protocol.md#idempotency). */
export interface IdempotentRequest {
  userId: number;
  /** The Idempotency-Key in lower case. */
  key: string;
  /** Hash of the call and its parameters. */
  fingerprint: string;
}

/** How long a first answer is kept (protocol.md#idempotency). */
const KEPT_MS = 24 * 3_600_000;
const PURGED_EVERY_MS = 3_600_000;

/** Stored first answers of changing calls. */
export class StoredAnswers {
  private readonly now: () => UnixMs;
  private purged = 0;

  constructor(now: () => UnixMs) {
    this.now = now;
  }

  async find(
    db: Db,
    { userId, key }: IdempotentRequest,
  ): Promise<{ fingerprint: string; envelope: string } | undefined> {
    const [answer] = await db
      .select({ fingerprint: answers.fingerprint, envelope: answers.envelope })
      .from(answers)
      .where(
        and(eq(answers.userId, userId), eq(answers.key, key), gt(answers.createdAt, this.expiry())),
      );
    return answer;
  }

  /**
   * `db` is the transaction of the change, or the database for a refusal, which changed nothing.
   */
  async store(
    db: Db,
    { userId, key, fingerprint }: IdempotentRequest,
    envelope: Envelope<unknown>,
  ): Promise<void> {
    await this.purge(db);
    const answer = {
      fingerprint,
      envelope: JSON.stringify(envelope),
      createdAt: new Date(this.now()),
    };
    await db
      .insert(answers)
      .values({ userId, key, ...answer })
      // Only an expired answer that is not purged yet can conflict.
      .onConflictDoUpdate({ target: [answers.userId, answers.key], set: answer });
  }

  private async purge(db: Db): Promise<void> {
    if (this.now() - this.purged < PURGED_EVERY_MS) return;
    await db.delete(answers).where(lte(answers.createdAt, this.expiry()));
    this.purged = this.now();
  }

  private expiry(): Date {
    return new Date(this.now() - KEPT_MS);
  }
}
