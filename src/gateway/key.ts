import { uuidOf } from '#domain/core/uuid';

/** An Idempotency-Key, made once for one tap (protocol.md#idempotency). */
export function newKey(): string {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
