import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type TraderRow, traderList } from '#domain/api/ranking';
import { parse } from '#domain/api/schema';
import { add, compare, multiply, subtract, toDecimal, toFixed, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import { credentials, orders, traders, users } from '../../../server/db/schema';
import { createRanking, type Ranking } from '../../../server/ranking/ranking';
import { momentum } from '../../../server/ranking/strategies';
import type { TraderProfile } from '../../../server/ranking/traderProfiles';
import { rankedTraders } from '../../../server/ranking/traderRows';
import { onEachDatabase } from '../support/database';
import { startBackend, type TestBackend, type TestUser } from '../support/testBackend';

const PROFILES: TraderProfile[] = [
  { key: 'trend', name: 'Trend', code: 'EURUSD', period: '1min', strategy: momentum(2, 4) },
  { key: 'never', name: 'Never', code: 'BTCUSD', period: '1min', strategy: () => undefined },
  { key: 'other', name: 'Other', code: 'NOSUCH', period: '5min', strategy: momentum(2, 3) },
];

onEachDatabase((database) => {
  let backend: TestBackend;
  let ranking: Ranking;

  beforeEach(async () => {
    await ranking?.stop();
    await backend?.close();
    backend = await startBackend(database.db, (app, parts) => {
      const { trading, ...rest } = parts;
      const log = { info() {}, warn() {}, error: (text: string) => expect.fail(text) };
      ranking = createRanking({
        ...rest,
        engine: trading.engine,
        log,
        feeType: 'per-lot',
        trades: true,
        profiles: PROFILES,
      });
      ranking.routes(app);
    });
    await backend.market.tick([1, 1.1], [2, 60_000]);
  });
  afterAll(async () => {
    await ranking.stop();
    await backend.close();
  });

  /** Plays one minute that closes at this price. */
  const minute = async (price: number) => {
    await backend.market.tick([1, price], [2, 60_000]);
    backend.market.pass(60_000);
    await ranking.settled();
  };
  const list = async (page = 1): Promise<{ data: TraderRow[]; total: number }> => {
    // The ranking may be up to five seconds old.
    backend.clock.pass(5000);
    const answer = await fetch(`${backend.url}/api/follow/list?page=${page}`);
    return ((await answer.json()) as { data: { data: TraderRow[]; total: number } }).data;
  };

  it('opens one account for each profile, without a login', async () => {
    await ranking.start();
    await ranking.stop();
    await ranking.start();
    const accounts = await database.db.select().from(users);
    expect(accounts).toHaveLength(3);
    for (const { email, mobile, demoId, isDemo } of accounts) {
      expect([email, mobile, demoId, isDemo]).toEqual(['', '', null, true]);
    }
    expect(await database.db.select().from(credentials)).toEqual([]);
    // A profile whose code is not listed trades another instrument.
    const codes = (await database.db.select().from(traders)).map(({ code }) => code);
    expect(codes).toEqual(['EURUSD', 'BTCUSD', 'EURUSD']);
    expect(await list()).toMatchObject({ total: 3 });
  });

  it('trades through the engine and is ranked by the profit of its orders', async () => {
    await ranking.start();
    for (const price of [1.1, 1.101, 1.102, 1.103, 1.104]) await minute(price);
    const [position] = await database.db.select().from(orders).where(eq(orders.status, 'holding'));
    expect(position).toMatchObject({ side: 'buy', code: 'EURUSD' });
    for (const price of [1.1035, 1.102, 1.1, 1.098]) await minute(price);

    const closed = await database.db
      .select()
      .from(orders)
      .where(and(eq(orders.userId, position?.userId ?? 0), eq(orders.status, 'closed')));
    expect(closed.length).toBeGreaterThan(0);
    const net = closed.reduce<Usd>((sum, { profit, fee }) => add(sum, subtract(profit, fee)), ZERO);
    const wins = closed.filter(({ profit, fee }) => compare(profit, fee) > 0).length;
    const all = await database.db
      .select()
      .from(orders)
      .where(eq(orders.userId, position?.userId ?? 0));
    const { data } = await list();
    const row = data.find(({ user }) => user.name === 'Trend');
    const percent = toFixed(multiply(net, toDecimal('0.001')), 2);
    expect(row).toEqual({
      id: position?.userId,
      user: { name: 'Trend', avatar: '', followers: Math.max(0, Math.floor(Number(percent) * 10)) },
      multiple: '50',
      code: 'EURUSD',
      three_week_rate: percent,
      three_week_win: toFixed(toDecimal(String((wins / closed.length) * 100)), 2),
      three_week_profit: toFixed(net, 6),
      total_rate: percent,
      total_trade_num: all.length,
      past_trade_num: 0,
    });
    expect(data.map((each) => Number(each.three_week_rate))).toEqual(
      data.map((each) => Number(each.three_week_rate)).sort((a, b) => b - a),
    );
    expect(data.find(({ user }) => user.name === 'Never')).toMatchObject({
      three_week_win: '0.00',
      three_week_profit: '0.000000',
      total_trade_num: 0,
    });
    const read = parse(traderList.answer, await list());
    expect(read?.rows.map(({ name }) => name)).toEqual(data.map(({ user }) => user.name));
    expect(await backend.audit()).toEqual([]);
  });

  it('follows a trend that began before the start', async () => {
    for (const price of [1.1, 1.101, 1.102, 1.103, 1.104]) await minute(price);
    await ranking.start();
    await ranking.settled();
    const held = await database.db.select().from(orders);
    expect(held).toMatchObject([{ side: 'buy', code: 'EURUSD', status: 'holding' }]);
  });

  it('adds what the strategies would have made before, says how much that is, and forgets it after three weeks', async () => {
    await ranking.start();
    const { data } = await list();
    const trader = data.find(({ user }) => user.name === 'Never')?.id ?? 0;
    const now = backend.market.now();
    const trade = (daysAgo: number, net: string) => ({
      endedAt: toUnixMs(now - daysAgo * 86_400_000),
      net: toUsd(net),
    });
    const past = [trade(22, '1000'), trade(20, '500.5'), trade(1, '-100.25')];
    const pasts = new Map([[trader, past]]);
    const [best] = await rankedTraders(database.db, backend.market.feed, now, PROFILES, pasts);
    expect(best).toMatchObject({
      id: trader,
      user: { followers: 4 },
      three_week_rate: '0.40',
      three_week_win: '50.00',
      three_week_profit: '400.250000',
      total_rate: '1.40',
      total_trade_num: 3,
      past_trade_num: 3,
    });
  });

  it('computes the past soon after the start, and no answer waits for it', async () => {
    await ranking.start();
    await ranking.settled();
    const asked: number[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    backend.market.bars = async (instrumentId) => {
      asked.push(instrumentId);
      await held;
      return [];
    };
    backend.clock.pass(3000);
    expect(asked).toEqual([1]);
    expect(await list()).toMatchObject({ total: 3 });
    expect(asked).toEqual([1]);
    const stopped = ranking.stop();
    release();
    await stopped;
    expect(new Set(asked)).toEqual(new Set([1]));
  });

  it('drops orders older than three weeks from the recent figures', async () => {
    await ranking.start();
    for (const price of [1.1, 1.101, 1.102, 1.103, 1.1, 1.097, 1.094]) await minute(price);
    const before = (await list()).data.find(({ user }) => user.name === 'Trend');
    expect(Number(before?.three_week_profit)).not.toBe(0);
    await ranking.stop();
    const trader = before?.id ?? 0;
    const held = and(eq(orders.userId, trader), ne(orders.status, 'closed'));
    for (const { id } of await database.db.select().from(orders).where(held)) {
      await backend.transactions.run((work) => backend.trading.engine.close(work, trader, id));
    }
    const now = (await list()).data.find(({ id }) => id === trader);
    backend.market.pass(21 * 86_400_000 + 60_000);
    const after = (await list()).data.find(({ id }) => id === trader);
    expect(after).toMatchObject({
      three_week_rate: '0.00',
      three_week_win: '0.00',
      three_week_profit: '0.000000',
      total_rate: now?.total_rate,
      total_trade_num: now?.total_trade_num,
    });
  });

  it('counts what the nights have cost', async () => {
    await ranking.start();
    for (const price of [1.1, 1.101, 1.102, 1.103, 1.1, 1.097, 1.094]) await minute(price);
    const trend = async () => (await list()).data.find(({ user }) => user.name === 'Trend');
    const before = await trend();
    const closed = and(eq(orders.userId, before?.id ?? 0), eq(orders.status, 'closed'));
    const nights = await database.db
      .update(orders)
      .set({ swap: toUsd('-2.5') })
      .where(closed)
      .returning();
    expect(nights.length).toBeGreaterThan(0);
    const net = Number(before?.three_week_profit) - 2.5 * nights.length;
    expect(Number((await trend())?.three_week_profit)).toBeCloseTo(net, 6);
  });

  it('counts no fill that the broker has undone', async () => {
    await ranking.start();
    for (const price of [1.1, 1.101, 1.102, 1.103, 1.1, 1.097, 1.094]) await minute(price);
    const trend = async () => (await list()).data.find(({ user }) => user.name === 'Trend');
    const before = await trend();
    const closed = and(eq(orders.userId, before?.id ?? 0), eq(orders.status, 'closed'));
    const undone = await database.db
      .update(orders)
      .set({ closeReason: 'busted', profit: ZERO, fee: ZERO })
      .where(closed)
      .returning();
    expect(undone.length).toBeGreaterThan(0);
    const left = (before?.total_trade_num ?? 0) - undone.length;
    expect(await trend()).toMatchObject({ three_week_profit: '0.000000', total_trade_num: left });
  });

  it('lists strategy accounts only', async () => {
    const user = await backend.user('100000');
    await user.get('/v1/api/forex/submit', {
      type: 1,
      cont: 1,
      forex_id: 1,
      status: 1,
      multiple: 100,
    });
    expect(await list()).toEqual({ data: [], total: 0 });
    expect(await list(2)).toEqual({ data: [], total: 0 });
    await ranking.start();
    expect(await list(2)).toEqual({ data: [], total: 3 });
  });

  it('tells what five users or more have traded within a week, most first, strategies not counted', async () => {
    const popular = async () => {
      const answer = await fetch(`${backend.url}/api/follow/popular`);
      return ((await answer.json()) as { data: unknown }).data;
    };
    const day = (count: number) => backend.market.pass(count * 86_400_000);
    await ranking.start();
    for (const price of [1.1, 1.101, 1.102]) await minute(price);
    await backend.market.tick([2, 1.2]);
    const traders = await Promise.all(Array.from({ length: 6 }, () => backend.user('100000')));
    const order = async (user: TestUser | undefined, id: number) => {
      const terms = { type: 1, cont: 0.1, forex_id: id, status: 1, multiple: 100 };
      const answer = await user?.get('/v1/api/forex/submit', terms);
      expect(answer?.code).toBe(1);
    };
    for (const user of traders.slice(0, 5)) await order(user, 2);
    for (const user of traders.slice(0, 4)) await order(user, 1);
    // Another order of a user is of no other user.
    await order(traders[0], 1);
    expect(await popular()).toEqual([{ Code: 'BTCUSD', Name: 'BTC/USD' }]);
    await order(traders[4], 1);
    await order(traders[5], 1);
    day(1);
    expect(await popular()).toEqual([
      { Code: 'EURUSD', Name: 'EUR/USD' },
      { Code: 'BTCUSD', Name: 'BTC/USD' },
    ]);
    day(6.5);
    expect(await popular()).toEqual([]);
  });

  it('does not trade while the market is closed', async () => {
    await ranking.start();
    for (const price of [1.1, 1.101, 1.102]) await minute(price);
    backend.market.setOpen(1, false);
    backend.market.pass(60_000);
    await ranking.settled();
    const held = await database.db.select().from(orders);
    expect(held).toEqual([]);
  });
});
