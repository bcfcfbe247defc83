import { randomInt } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { readCode } from '#domain/core/inputText';
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
  const code = readCode(given).toUpperCase();
  if (code === brokerInviteCode) return undefined;
  const [inviter] = await db.select({ id: users.id }).from(users).where(eq(users.inviteCode, code));
  const id = inviter?.id ?? (await otherEngines.inviterOf(code));
  if (id === undefined) throw new Refusal(CODE_REFUSED, 'server.inviteCodeUnknown', { code });
  return id;
}

function spell(letter: (index: number) => number): string {
  return Array.from({ length: LENGTH }, (_, index) => ALPHABET[letter(index)]).join('');
}
