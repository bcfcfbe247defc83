import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Tx } from '../db/database';
import { users } from '../db/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';

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

/**
 * Returns the inviting user; undefined for the broker's code. Throws a Refusal of an unknown code.
 */
export async function inviterOf(
  tx: Tx,
  given: string,
  houseCode: string,
): Promise<number | undefined> {
  const code = given.trim().toUpperCase();
  if (code === houseCode) return undefined;
  const [inviter] = await tx.select({ id: users.id }).from(users).where(eq(users.inviteCode, code));
  if (!inviter) throw new Refusal(CODE_REFUSED, 'server.inviteCodeUnknown', { code });
  return inviter.id;
}

function spell(letter: (index: number) => number): string {
  return Array.from({ length: LENGTH }, (_, index) => ALPHABET[letter(index)]).join('');
}
