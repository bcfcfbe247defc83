import { randomInt } from 'node:crypto';
import type { UserRow } from '#domain/api/user';
import { users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';

export type UserRecord = typeof users.$inferSelect;

/** A user as it is sent (protocol.md#user). */
export function userRow(user: UserRecord): UserRow {
  const { id, uid, email, mobile, isDemo, inviteCode, secondFactor } = user;
  const otp = secondFactor ? 1 : 0;
  return { id, uid, email, mobile, is_demo: isDemo ? 1 : 0, invite_code: inviteCode, otp };
}

/** The number that users see. It is random, so that it does not reveal how many users there are. */
export function newUid(): string {
  return String(randomInt(100_000_000, 1_000_000_000));
}

/** Inserts a new user. */
export async function insertUser(
  { tx }: UnitOfWork,
  values: Omit<typeof users.$inferInsert, 'uid'>,
): Promise<UserRecord> {
  for (;;) {
    const [user] = await tx
      .insert(users)
      .values({ ...values, uid: newUid() })
      .onConflictDoNothing({ target: users.uid })
      .returning();
    if (user) return user;
  }
}
