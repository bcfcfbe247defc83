import { uuidOf } from '#domain/core/uuid';

/**
 * A new random key for the header `Idempotency-Key`: one for each user action
 * (protocol.md#idempotency).
 */
export function newKey(): string {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
