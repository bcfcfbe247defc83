import { toUnixMs } from '#domain/core/time';
import type { Db } from '../../../server/db/database';
import { Outbox } from '../../../server/push/outbox';
import { PushSubscriptions } from '../../../server/push/pushSubscriptions';

/** An outbox of which nothing is sent. */
export function testOutbox(db: Db): Outbox {
  const now = () => toUnixMs(0);
  return new Outbox({ subscriptions: new PushSubscriptions(db, now), now, onWritten() {} });
}
