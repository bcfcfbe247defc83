import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The id of a request in the log (protocol.md#requests): the client's, where it has the form of one, otherwise one of our
 * own. Other text would let strangers write into the log.
 */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = String(headers['x-request-id'] ?? '').toLowerCase();
  return UUID.test(given) ? given : randomUUID();
}
