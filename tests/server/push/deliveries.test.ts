import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Db } from '../../../server/db/database';
import { Deliveries } from '../../../server/push/deliveries';
import type { MessageWriter } from '../../../server/push/messageWriter';
import type { PushService } from '../../../server/push/pushService';
import type { PushSubscriptions } from '../../../server/push/pushSubscriptions';
import { FakeClock } from '../support/fakeClock';

/** A database without deliveries; counts how often it was asked for those that are due. */
function emptyDb() {
  const asked = { due: 0 };
  const rows: Record<string, unknown> = {
    limit() {
      asked.due++;
      return rows;
    },
    // biome-ignore lint/suspicious/noThenProperty: a query of drizzle is awaited
    then: (done: (found: unknown[]) => void) => done([]),
  };
  for (const name of ['select', 'from', 'innerJoin', 'where', 'as', 'orderBy'])
    rows[name] = () => rows;
  return { asked, db: rows as unknown as Db };
}

it('looks again for whoever wakes it, at whatever moment of its look that is', async () => {
  for (let moment = 0; moment < 40; moment++) {
    const { asked, db } = emptyDb();
    const clock = new FakeClock();
    const deliveries = new Deliveries({
      ...{ db, clock, now: () => toUnixMs(0) },
      log: { info() {}, warn() {}, error: (text: string) => expect.unreachable(text) },
      service: { close() {} } as PushService,
      subscriptions: {} as PushSubscriptions,
      messages: {} as MessageWriter,
    });
    deliveries.wake();
    for (let turn = 0; turn < moment; turn++) await Promise.resolve();
    const before = asked.due;
    deliveries.wake();
    await new Promise(setImmediate);
    expect(asked.due, `${moment} turns after the first`).toBeGreaterThan(before);
    await deliveries.stop();
  }
});
