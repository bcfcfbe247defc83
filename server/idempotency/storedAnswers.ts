import { and, gt, lte, sql } from 'drizzle-orm';
import type { Envelope } from '#domain/api/envelope';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import { deleteOld } from '../db/deleteOld';
import { answers } from '../db/schema';
import type { WriteOnlyWork } from '../db/transactions';

/** User and key of a changing request (protocol.md#idempotency). */
export interface IdempotentRequest {
  userId: number;
  /** The Idempotency-Key in lower case. */
  key: string;
  /** Hash of the call and its parameters. */
  fingerprint: string;
}

/** A first answer; the envelope as JSON text. */
export type StoredAnswer = Pick<
  typeof answers.$inferSelect,
  'userId' | 'key' | 'fingerprint' | 'envelope'
>;

/** How long a first answer is kept (protocol.md#idempotency). */
const RETENTION_MS = toDurationMs(24 * 3_600_000);

/** Stored first answers of changing calls. */
export class StoredAnswers {
  private readonly now: () => UnixMs;
  private readonly selection: ReturnType<typeof prepareSelection>;

  constructor(db: Db, now: () => UnixMs) {
    this.selection = prepareSelection(db);
    this.now = now;
  }

  /** The answers that are stored for these requests, in any order. */
  async find(requests: readonly IdempotentRequest[]): Promise<StoredAnswer[]> {
    if (requests.length === 0) return [];
    return this.selection.execute({
      userIds: requests.map(({ userId }) => userId),
      keys: requests.map(({ key }) => key),
      after: this.expiry(),
    });
  }

  /** Books the answer in the transaction of the change; a refusal has no change. */
  async store(
    work: WriteOnlyWork,
    { userId, key, fingerprint }: IdempotentRequest,
    envelope: Envelope<unknown>,
  ): Promise<void> {
    const createdAt = new Date(this.now());
    await work.writeRows({
      answers: [{ userId, key, fingerprint, envelope: JSON.stringify(envelope), createdAt }],
    });
  }

  /** Deletes answers that are no longer kept. */
  async removeOld(db: Db): Promise<void> {
    await deleteOld(db, answers, lte(answers.createdAt, this.expiry()), answers.createdAt);
  }

  private expiry(): Date {
    return new Date(this.now() - RETENTION_MS);
  }
}

function prepareSelection(db: Db) {
  const { userId, key, fingerprint, envelope, createdAt } = answers;
  const users = sql.placeholder('userIds');
  const keys = sql.placeholder('keys');
  return (
    db
      .select({ userId, key, fingerprint, envelope })
      .from(answers)
      .where(
        and(
          sql`(${userId}, ${key}) in (select * from unnest(${users}::integer[], ${keys}::uuid[]))`,
          gt(createdAt, sql.placeholder('after')),
        ),
      )
      // Without a name PostgreSQL plans it for the present size of the table.
      .prepare('')
  );
}
