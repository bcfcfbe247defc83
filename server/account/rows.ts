import type { UserRow } from '#domain/api/account';
import type { users } from '../db/schema';

export type UserRecord = typeof users.$inferSelect;

/** §3 User as it travels. */
export function userRow({ id, uid, email, mobile, isDemo, inviteCode }: UserRecord): UserRow {
  return { id, uid, email, mobile, is_demo: isDemo ? 1 : 0, invite_code: inviteCode };
}
