/** Readers of users and sessions (protocol.md#user): undefined for what can't be trusted. */

import type { User } from '../account/user';
import { readFields, readInteger, readText } from '../core/read';

/** protocol.md#user. */
export function readUser(value: unknown): User | undefined {
  const fields = readFields(value);
  const id = readInteger(fields?.['id']);
  if (id === undefined) return undefined;
  const otp = readInteger(fields?.['otp']);
  const text = (name: string) => readText(fields?.[name]) ?? '';
  return {
    id,
    uid: text('uid'),
    email: text('email'),
    mobile: text('mobile'),
    demo: readInteger(fields?.['is_demo']) === 1,
    inviteCode: text('invite_code'),
    ...(otp !== undefined && { secondFactor: otp === 1 }),
  };
}

/** What login, register and createAccountDemoForU answer. */
export function readSession(value: unknown): { token: string; user: User } | undefined {
  const fields = readFields(value);
  const token = readText(fields?.['token']);
  const user = readUser(fields?.['user']);
  return token && user ? { token, user } : undefined;
}
