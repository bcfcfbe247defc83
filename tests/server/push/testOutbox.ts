import { toUnixMs } from '#domain/core/time';
import { Outbox } from '../../../server/push/outbox';

/** An outbox of which nothing is sent. */
export function testOutbox(): Outbox {
  return new Outbox({ now: () => toUnixMs(0), onWritten() {} });
}
