import { hash } from 'node:crypto';

/** A token in base64url, perhaps with the number of its engine (D131). Anything else is not looked up. */
const TOKEN = /^(?:[1-9]\d?\.)?[\w-]{43}$/;

/**
 * The hash that is stored, and sent between processes, in place of a token; undefined where the text can't be one. A
 * token has 256 random bits, so its hash needs neither a salt nor a slow function.
 */
export function tokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token) : undefined;
}
