import { eq } from 'drizzle-orm';
import { type AddressKind, normalEmail } from '#domain/account/address';
import type { FieldProblem } from '#domain/core/rule';
import type { Db } from '../db/open';
import { credentials, users } from '../db/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { UserRecord } from './users';

/** What somebody wants to be known by, in its normal form. */
export interface Address {
  type: AddressKind;
  address: string;
}

export function toAddress(type: AddressKind, text: string): Address {
  return { type, address: type === 'email' ? normalEmail(text) : text.trim() };
}

/** The user of this address, with what its password is checked by. */
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

/** Throws a Refusal of mobile numbers where they are not in use. */
export function checkOffered(type: AddressKind, mobile: boolean): void {
  if (type === 'mobile' && !mobile) throw new Refusal(CODE_REFUSED, 'server.mobileNotOffered');
}

export function refuse(problem: FieldProblem<string> | undefined): void {
  if (problem) throw Refusal.ofRule(problem.message);
}
