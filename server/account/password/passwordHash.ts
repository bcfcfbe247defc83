import { hash, type Options, verify } from '@node-rs/argon2';

/** Argon2id, the library's default, with what OWASP recommends: 19 MiB, two passes. */
const OPTIONS: Options = {
  memoryCost: 19 * 1024,
  timeCost: 2,
  parallelism: 1,
};

/** What is verified where there is no account: takes as long as a real one, and nothing fits it. */
const NOBODY = hash(crypto.randomUUID(), OPTIONS);

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), OPTIONS);
}

/** Whether the password is that of the hash; without one as much work, and false. */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  const right = await verify(passwordHash ?? (await NOBODY), password.normalize('NFKC'));
  return right && passwordHash !== undefined;
}
