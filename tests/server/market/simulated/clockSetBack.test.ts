import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toText, ZERO } from '#domain/core/decimal';
import { timeAfter, toDurationMs, toUnixMs } from '#domain/core/time';
import type { Database } from '../../../../server/db/database';
import { tradedUntil } from '../../../../server/db/latestTime';
import type { Tick } from '../../../../server/market/market';
import { SimulatedMarket } from '../../../../server/market/simulated/simulatedMarket';
import { inTurn } from '../../../helpers/samples';
import { emptyDatabase } from '../../support/database';
import { FakeClock } from '../../support/fakeClock';
import { market as marketOrder, pending, refusalOf, TestTrading } from '../../trading/testTrading';
import { RecordingListener, RecordingLog } from '../recordingListener';
import { FRIDAY } from './testInstruments';

const NOON = toUnixMs(FRIDAY + 12 * 3_600_000);
const HOUR = 3_600_000;

async function open(clock = new FakeClock(NOON), tradedUntil = toUnixMs(0)) {
  const log = new RecordingLog();
  const options = { seed: '1', instruments: 6, ticksPerSecond: 20, feeType: 'per-lot' } as const;
  const market = new SimulatedMarket(options, clock, log, tradedUntil);
  const recorder = new RecordingListener();
  market.listen(recorder);
  await market.start();
  const open = () => market.instruments.filter(({ id }) => market.quote(id)?.marketOpen);
  return { market, clock, recorder, log, open };
}

const essence = ({ instrumentId, price, time }: Tick) => [instrumentId, price, time];

describe('a clock that is set back', () => {
  it('by up to five seconds does not close the market', async () => {
    const { market, clock, recorder, log, open: trading } = await open();
    const all = trading().length;
    expect(all).toBeGreaterThan(3);
    await clock.advance(10_000);
    const before = recorder.ticked.length;
    clock.setBack(5000);
    expect(trading()).toHaveLength(all);
    await clock.advance(2000);
    expect(recorder.ticked.length - before).toBeGreaterThan(10);
    await clock.advance(60_000);
    expect(market.now()).toBe(clock.now());
    const times = recorder.ticked.map(({ time }) => time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect([recorder.statusChanges, log.warnings]).toEqual([[], []]);
    await market.stop();
  });

  inTurn(it)('by more closes the market with a reason, until it has caught up', async () => {
    const { market, clock, recorder, log, open: trading } = await open();
    const ids = trading().map(({ id }) => id);
    await clock.advance(10_000);
    const stood = market.now();
    const { length } = recorder.ticked;
    clock.setBack(HOUR);
    // It closes immediately, and reports that with the next batch.
    for (const id of ids) {
      expect(market.quote(id)).toMatchObject({
        marketOpen: false,
        nextOpen: stood,
        closedReason: 'clock',
      });
    }
    await clock.advance(1000);
    expect(recorder.statusChanges).toEqual([ids]);
    expect(log.warnings).toEqual([
      `The system's clock was set back. The market is closed until it shows ${new Date(stood).toISOString()}.`,
    ]);
    await clock.advance(HOUR - 2000);
    expect(market.now()).toBe(stood);
    expect(recorder.ticked).toHaveLength(length);

    await clock.advance(2000);
    expect(trading().map(({ id }) => id)).toEqual(ids);
    expect(recorder.statusChanges).toEqual([ids, ids]);
    expect(log.infos.at(-1)).toBe('The market is open again: the clock has caught up.');
    await clock.advance(60_000);
    expect(recorder.ticked.length).toBeGreaterThan(length + 500);
    // The prices are those of a market whose clock was never set.
    const through = await unbroken(clock.now() - NOON);
    expect(recorder.ticked.map(essence)).toEqual(through.map(essence));
    await market.stop();
  });

  async function unbroken(ran: number): Promise<readonly Tick[]> {
    const { market, clock, recorder } = await open();
    await clock.advance(ran);
    await market.stop();
    return recorder.ticked;
  }

  describe('orders while the clock is set back', () => {
    let database: Database;
    beforeAll(async () => {
      database = await emptyDatabase();
    });
    afterAll(() => database.close());

    inTurn(it)('are neither placed nor filled, also after a restart', async () => {
      const { market, clock, open: trading } = await open();
      const [traded] = trading();
      if (!traded) throw new Error('all are closed');
      const { id, leverages } = traded;
      const server = await TestTrading.open(database.db, market);
      const user = await server.addUser();
      const wish = { lots: toText(traded.minLots), leverage: toText(leverages[0] ?? ZERO) };
      const placed = await server.submit(user, id, marketOrder(wish));
      await clock.advance(10_000);
      const second = await server.submit(user, id, marketOrder(wish));
      clock.setBack(HOUR);
      const price = String(market.quote(id)?.price);
      const refusals = [
        await refusalOf(server.submit(user, id, marketOrder(wish))),
        await refusalOf(server.submit(user, id, pending(price, wish))),
        await refusalOf(server.run((work) => server.engine.close(work, user, placed.id))),
      ];
      expect(refusals).toEqual(Array(3).fill('rules.marketClosed'));
      await market.stop();

      // After a restart now, users could trade at known prices.
      const known = await tradedUntil(database.db, market.feed);
      expect(known).toBe(second.createdAt);
      const again = await open(clock, known);
      expect(again.open()).toEqual([]);
      expect(again.market.quote(id)).toMatchObject({ closedReason: 'clock', nextOpen: known });
      await again.clock.advance(HOUR);
      expect(again.open().map((each) => each.id)).toContain(id);
      await again.market.stop();
      server.close();
    });
  });

  it('by up to five seconds before a start leaves the market open', async () => {
    const { market, open: trading } = await open(
      new FakeClock(NOON),
      timeAfter(NOON, toDurationMs(5000)),
    );
    expect(trading().length).toBeGreaterThan(3);
    await market.stop();
  });
});
