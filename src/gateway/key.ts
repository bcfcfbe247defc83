import { uuidOf } from '#domain/core/uuid';

/** An Idempotency-Key, made once for one tap (protocol.md, Exactly once). */
export function newKey(): string {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
