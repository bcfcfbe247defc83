import { expect, it } from 'vitest';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { fromJson, SUBJECTS, toJson } from '../../../server/cluster/bus';
import { BusMarket } from '../../../server/cluster/busMarket';
import { answerDescription } from '../../../server/cluster/description';
import { MarketPublisher } from '../../../server/cluster/marketPublisher';
import type { RangeQuestion } from '../../../server/cluster/marketServer';
import type { Db } from '../../../server/db/database';
import { RecordingLog } from '../market/recordingListener';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';
import { FakeBroker } from './fakeBus';

/** A market that knows its prices has nothing written. */
const NO_DATABASE = {} as Db;

/** A feed, and the market of an engine that follows it. */
async function machines(db = NO_DATABASE, byMinute = false) {
  const broker = new FakeBroker();
  const clock = new FakeClock();
  const feed = new ScriptedMarket([instrument(1, 'EURUSD'), instrument(2, 'GBPUSD')]);
  const settle = async (ms = 0) => {
    await broker.advance(clock, ms);
    await broker.advance(clock);
  };
  const bus = broker.connect();
  answerDescription(bus, Object.assign(feed, { byMinute }));
  bus.answer(SUBJECTS.range, (data) => {
    const { instrumentId, since, until } = fromJson<RangeQuestion>(data);
    return toJson(feed.priceRange(instrumentId, since, until) ?? null);
  });
  new MarketPublisher({ market: feed, bus, clock, epoch: 1 }).start();
  const log = new RecordingLog();
  const options = { bus: broker.connect(), db, clock, log, name: 'Fulcrum' };
  const opening = BusMarket.open({ ...options, onGap() {}, onOtherMarket() {} });
  await settle();
  const market = await opening;
  void market.start();
  await settle();
  return { feed, market, settle };
}

it('knows of the past what has arrived, and not what is still under way', async () => {
  const { feed, market, settle } = await machines();
  const since = timeAfter(feed.time, toDurationMs(-1));
  await feed.tick([1, 1.1, 1, { bid: 1.09, ask: 1.12 }], [2, 2.2]);
  await settle();
  const answer = market.exclusively(async () => {
    feed.pass(100);
    await feed.tick([1, 1.5]);
    return market.priceRange(1, since);
  });
  await settle();
  expect(await answer).toEqual({ low: 1.1, high: 1.1, bidHigh: 1.09, askLow: 1.12 });
  expect(market.quote(1)?.price).toBe(1.5);
});

it('does not take prices for those of now whose turn comes late', async () => {
  const { feed, market, settle } = await machines();
  await feed.tick([1, 1.1]);
  await settle();
  let go = () => {};
  void market.exclusively(() => new Promise<void>((resolve) => (go = resolve)));
  feed.pass(1_000);
  await feed.tick([1, 1.2]);
  await settle();
  const filled = market.exclusively(() => market.quote(1));
  // The feed goes on, but nothing of it has its turn.
  await settle(3_000);
  go();
  expect(await filled).toMatchObject({ price: 1.2, stale: true });
  await settle(1_000);
  expect(market.quote(1)?.stale).toBeUndefined();
});

it('saves again what has followed the prices where that has failed', async () => {
  let isAway = true;
  const transaction = async (write: (tx: object) => Promise<void>) => {
    await write({});
    if (isAway) throw new Error('away');
  };
  const { market, settle } = await machines({ transaction } as unknown as Db, true);
  const stops = { hasMoved: true };
  market.listen({
    ticks() {},
    status() {},
    barClosed() {},
    get hasMoved() {
      return stops.hasMoved;
    },
    async savePosition() {},
    positionSaved() {
      stops.hasMoved = false;
    },
  });
  await settle(1_500);
  expect(stops.hasMoved).toBe(true);
  isAway = false;
  await settle(1_500);
  expect(stops.hasMoved).toBe(false);
});
