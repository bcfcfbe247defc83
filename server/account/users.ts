import { randomInt } from 'node:crypto';
import { users } from '../db/schema';
import type { UnitOfWork } from '../db/unitOfWork';
import type { UserRecord } from './rows';

/** A new user, under a number that doesn't tell how many there are. */
export async function insertUser(
  { tx }: UnitOfWork,
  values: Omit<typeof users.$inferInsert, 'uid'>,
): Promise<UserRecord> {
  for (;;) {
    const uid = String(randomInt(100_000_000, 1_000_000_000));
    const [user] = await tx
      .insert(users)
      .values({ ...values, uid })
      .onConflictDoNothing({ target: users.uid })
      .returning();
    if (user) return user;
  }
}
