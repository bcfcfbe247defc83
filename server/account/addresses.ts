import { eq } from 'drizzle-orm';
import { type AddressKind, normalEmail } from '#domain/account/address';
import type { FieldProblem } from '#domain/core/rule';
import type { Db } from '../db/database';
import { credentials, users } from '../db/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { UserRecord } from './users';

/** An email address or mobile number in its normal form. */
export interface Address {
  type: AddressKind;
  address: string;
}

export function toAddress(type: AddressKind, text: string): Address {
  return { type, address: type === 'email' ? normalEmail(text) : text.trim() };
}

/** Finds the user of an address, with the hash of the password. */
export async function findUser(
  db: Db,
  { type, address }: Address,
): Promise<{ user: UserRecord; passwordHash: string } | undefined> {
  const column = type === 'email' ? users.email : users.mobile;
  const [found] = await db
    .select({ user: users, passwordHash: credentials.passwordHash })
    .from(users)
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(eq(column, address));
  return found;
}

/** Throws a Refusal of a mobile number where they are not offered. */
export function checkOffered(type: AddressKind, mobile: boolean): void {
  if (type === 'mobile' && !mobile) throw new Refusal(CODE_REFUSED, 'server.mobileNotOffered');
}

export function refuse(problem: FieldProblem<string> | undefined): void {
  if (problem) throw Refusal.ofRule(problem.message);
}
