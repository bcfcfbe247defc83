import { randomInt } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { AccountParts } from './parts';

/** Without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const LENGTH = 8;

export function newInviteCode(): string {
  return spell(() => randomInt(ALPHABET.length));
}

/**
 * The broker's invitation code, for users whom nobody invited. It follows from the server's secret.
 */
export function brokerInviteCode(key: Buffer): string {
  return spell((index) => (key[index] ?? 0) % ALPHABET.length);
}

/** The user of this engine who has an invitation code. Demo users and closed accounts have an empty one, which invites nobody. */
export async function ownInviter(db: Db, code: string): Promise<number | undefined> {
  const own = and(eq(users.inviteCode, code), ne(users.inviteCode, ''));
  const [inviter] = await db.select({ id: users.id }).from(users).where(own);
  return inviter?.id;
}

/**
 * Returns the inviting user; undefined for the broker's code. Throws a Refusal of an unknown code.
 */
export async function inviterOf(
  {
    db,
    otherEngines,
    brokerInviteCode,
  }: Pick<AccountParts, 'db' | 'otherEngines' | 'brokerInviteCode'>,
  given: string,
): Promise<number | undefined> {
  const code = given.toUpperCase();
  if (code === brokerInviteCode) return undefined;
  const id = (await ownInviter(db, code)) ?? (await otherEngines.inviterOf(code));
  if (id === undefined) throw new Refusal(CODE_REFUSED, 'server.inviteCodeUnknown', { code });
  return id;
}

function spell(letter: (index: number) => number): string {
  return Array.from({ length: LENGTH }, (_, index) => ALPHABET[letter(index)]).join('');
}
