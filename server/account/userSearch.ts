import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { latinDigits } from '#domain/core/inputText';
import type { Db } from '../db/database';
import { users, verifications } from '../db/schema';
import { storedForms, toAddress } from './addresses';
import type { UserRecord } from './users';

/** Fewer digits than this are no part of a mobile number. */
const LEAST_DIGITS = 4;

/** The user of exactly this number, email address or mobile number with its calling code; users see the number. */
export async function findByName(db: Db, name: string): Promise<UserRecord | undefined> {
  const found = await db.select().from(users).where(isNamed(name));
  return found.find(({ uid }) => uid === name.trim()) ?? found[0];
}

/**
 * Users whose number, email address, mobile number or verified name has this text in it, the newest first. A mobile number
 * may be spelled in any way, also without its calling code.
 */
export function searchUsers(db: Db, text: string, limit: number): Promise<UserRecord[]> {
  const part = text.trim().toLowerCase();
  const digits = latinDigits(text).replace(/\D/g, '').replace(/^0+/, '');
  const isPhone = digits.length >= LEAST_DIGITS && !/\p{L}|@/u.test(text);
  const named = db
    .select({ id: verifications.userId })
    .from(verifications)
    .where(sql`strpos(lower(${verifications.name}), ${part}) > 0`);
  return db
    .select()
    .from(users)
    .where(
      or(
        isNamed(text),
        sql`strpos(lower(${users.email}), ${part}) > 0`,
        isPhone ? sql`strpos(${users.mobile}, ${digits}) > 0` : undefined,
        inArray(users.id, named),
      ),
    )
    .orderBy(desc(users.id))
    .limit(limit);
}

function isNamed(text: string): SQL | undefined {
  const name = text.trim();
  if (name === '') return sql`false`;
  const type = name.includes('@') ? 'email' : 'mobile';
  const forms = storedForms(toAddress(type, name)).filter((form) => form !== '');
  return or(eq(users.uid, name), inArray(users[type], forms));
}
