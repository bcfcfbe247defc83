import { eq, inArray } from 'drizzle-orm';
import { type AddressKind, normalEmail } from '#domain/account/address';
import { canonicalMobile, formerForms, mobileProblem } from '#domain/account/mobileInput';
import type { FieldProblem } from '#domain/core/rule';
import type { Db } from '../db/database';
import { credentials, users } from '../db/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { AREAS } from './areas';
import type { UserRecord } from './users';

/** An email address or mobile number in its normal form. */
export interface Address {
  type: AddressKind;
  address: string;
}

/** The address that a client gives, or that an account is stored with. */
export function toAddress(type: AddressKind, text: string): Address {
  return { type, address: type === 'email' ? normalEmail(text) : canonicalMobile(text, AREAS) };
}

/**
 * How an account of this address may be stored: as it is, or in a former form. The first one counts. Stored rows are
 * not rewritten, because a wrong guess would send codes to a stranger.
 */
export function storedForms({ type, address }: Address): string[] {
  return type === 'email' ? [address] : [address, ...formerForms(address, AREAS)];
}

/** Throws a Refusal of what can't be a number that a code is sent to. */
export function checkNumber({ type, address }: Address): void {
  if (type === 'mobile') refuse(mobileProblem(address));
}

/** Finds the user of an address, with the hash of the password. */
export async function findUser(
  db: Db,
  address: Address,
): Promise<{ user: UserRecord; passwordHash: string } | undefined> {
  const { type } = address;
  const forms = storedForms(address);
  const found = await db
    .select({ user: users, passwordHash: credentials.passwordHash })
    .from(users)
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(inArray(users[type], forms));
  return found.sort((a, b) => forms.indexOf(a.user[type]) - forms.indexOf(b.user[type]))[0];
}

/** Throws a Refusal of a mobile number where they are not offered. */
export function checkOffered(type: AddressKind, mobile: boolean): void {
  if (type === 'mobile' && !mobile) throw new Refusal(CODE_REFUSED, 'server.mobileNotOffered');
}

export function refuse(problem: FieldProblem<string> | undefined): void {
  if (problem) throw Refusal.ofRule(problem.message);
}
