import { asc } from 'drizzle-orm';
import { beforeEach, expect, it, vi } from 'vitest';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { conditionParams, type IndicatorCondition } from '#domain/trading/condition';
import { AlertWatch } from '../../../server/alerts/alertWatch';
import { BarWatch } from '../../../server/alerts/barWatch';
import { alerts, notices } from '../../../server/db/schema';
import { testOutbox } from '../push/testOutbox';
import { onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { emptyTables } from '../support/tables';
import { TestTrading } from '../trading/testTrading';

const MINUTE = toDurationMs(60_000);
const log = { info() {}, warn() {}, error: (text: string) => expect.fail(text) };

onEachDatabase((database) => {
  let market: SerialMarket;
  let clock: FakeClock;
  let userId: number;
  beforeEach(async () => {
    await emptyTables(database.db);
    market = new SerialMarket([instrument(1, 'EURUSD')]);
    clock = new FakeClock();
    await market.tick([1, 1.1]);
  });

  /** As a process that starts. */
  const open = async () => {
    const watch = new AlertWatch({
      ...{ market, outbox: testOutbox(), now: () => clock.now() },
      onTrigger() {},
    });
    const trading = await TestTrading.open(database.db, market, 'per-lot', watch);
    const { transactions } = trading;
    const bars = new BarWatch({ market, transactions, clock, log, watch });
    return { trading, watch, bars };
  };
  const endsIn = (ms: number) => new Date(timeAfter(clock.now(), toDurationMs(ms)));
  const insert = (changes: Partial<typeof alerts.$inferInsert>) =>
    database.db.insert(alerts).values({
      ...{ userId, feed: market.feed, instrumentId: 1, code: 'EURUSD', precision: 5 },
      ...{ price: '0', waits: '', above: true, repeat: true, note: '', ended: false },
      ...{ since: new Date(market.now()), createdAt: new Date(market.now()), ...changes },
    });
  const minute = async (price: number) => {
    await market.tick([1, price]);
    market.pass(MINUTE - (market.time % MINUTE));
  };
  const ended = async () =>
    (await database.db.select().from(alerts).orderBy(asc(alerts.id))).map((row) => row.ended);

  it('judges what no tick does until its end, and not after a restart either', async () => {
    const first = await open();
    userId = await first.trading.addUser();
    const indicator = (period: number): IndicatorCondition => ({
      ...{ kind: 'indicator', name: 'sma', output: 'average', settings: [period] },
      ...{ period: '1min', level: 1.2, other: undefined, cross: 'any' },
    });
    for (const until of [endsIn(1000), endsIn(2 * MINUTE)])
      await insert({ kind: 'indicator', params: conditionParams(indicator(2)), until });
    await insert({
      ...{ kind: 'indicator', params: conditionParams(indicator(3)), until: endsIn(1000) },
    });
    const margin = conditionParams({ kind: 'margin', level: 100 });
    await insert({ kind: 'margin', params: margin, instrumentId: 0, until: endsIn(1000) });
    first.trading.engine.forget();
    await minute(1.1);
    const computed = vi.spyOn(market, 'bars');
    await first.bars.look();
    expect(computed).toHaveBeenCalledTimes(2);
    expect(first.watch.apartOf('margin').size).toBe(1);

    clock.pass(1000);
    await minute(1.1);
    computed.mockClear();
    await first.bars.look();
    expect(computed).toHaveBeenCalledTimes(1);
    expect(first.watch.apartOf('indicator').size).toBe(1);
    expect(first.watch.apartOf('margin').size).toBe(0);
    first.trading.close();

    const second = await open();
    expect(await ended()).toEqual([true, false, true, true]);
    await minute(1.1);
    computed.mockClear();
    await second.bars.look();
    expect(computed).toHaveBeenCalledTimes(1);
    second.trading.close();
  });

  it('tells of what crossed before its end while nothing was judged, and searches the others once', async () => {
    const first = await open();
    userId = await first.trading.addUser();
    first.trading.close();
    await insert({ price: '1.2', waits: 'rise', repeat: false, until: endsIn(MINUTE) });
    await insert({ price: '1.2', waits: 'rise', until: endsIn(MINUTE) });
    await insert({ price: '1.3', waits: 'rise', until: endsIn(MINUTE) });
    await market.tick([1, 1.25]);
    clock.pass(MINUTE);
    market.pass(MINUTE);
    const { trading } = await open();
    expect((await database.db.select().from(notices)).map(({ price }) => price)).toEqual([
      '1.25',
      '1.25',
    ]);
    expect(await ended()).toEqual([true, true, true]);
    const searched = vi.spyOn(market, 'priceRange');
    trading.engine.forget();
    await market.tick([1, 1.25]);
    expect(searched).not.toHaveBeenCalled();
    trading.close();
  });

  it('tells of what crossed before its end in an outage whose prices come after a start', async () => {
    const first = await open();
    userId = await first.trading.addUser();
    first.trading.close();
    for (const price of ['1.2', '1.3'])
      await insert({ price, waits: 'rise', repeat: false, until: endsIn(MINUTE) });
    const begun = market.time;
    market.setOpen(1, false, undefined, 'clock');
    clock.pass(2 * MINUTE);
    market.pass(2 * MINUTE);
    (await open()).trading.close();
    expect(await ended()).toEqual([false, false]);

    const now = market.time;
    market.time = begun;
    await market.tick([1, 1.25]);
    market.time = now;
    await market.tick([1, 1.1]);
    (await open()).trading.close();
    expect(await database.db.select().from(notices)).toHaveLength(1);
    expect(await ended()).toEqual([true, true]);
  });
});
