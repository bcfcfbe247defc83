import { randomBytes } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';

/** Argon2id, the library's default algorithm, with OWASP's recommended cost: 19 MiB, two passes. */
const OPTIONS: Options = {
  memoryCost: 19 * 1024,
  timeCost: 2,
  parallelism: 1,
};

/**
 * Verified where the account does not exist: it takes as long as a real hash and no password
 * matches it.
 */
const DUMMY_HASH = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$${random(16)}$${random(32)}`;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), OPTIONS);
}

/** Whether the password matches the hash. Without a hash it takes as long and returns false. */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  const right = await verify(passwordHash ?? DUMMY_HASH, password.normalize('NFKC'));
  return right && passwordHash !== undefined;
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}
