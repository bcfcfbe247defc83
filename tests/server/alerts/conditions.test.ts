import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AlertPageRow, AlertRow } from '#domain/api/alerts';
import { toDurationMs } from '#domain/core/time';
import english from '#locales/en';
import { notices, users } from '../../../server/db/schema';
import { inTurn, samples } from '../../helpers/samples';
import { admin } from '../admin/adminCommand';
import { onEachDatabase } from '../support/database';
import { EUR, TestExchange, type Trader, XAU } from '../trading/testExchange';

const MINUTE = toDurationMs(60_000);
const RSI = { name: 'sma', settings: [2], output: 'average', period: '1min', cross: 'any' };

onEachDatabase((database) => {
  let exchange: TestExchange;
  let trader: Trader;
  beforeAll(async () => {
    exchange = await TestExchange.open(database.db);
  });
  beforeEach(async () => {
    await exchange.market.tick([EUR, 1.1], [XAU, 2000]);
    trader = await exchange.demo();
  });
  afterAll(() => exchange.close());

  const add = (kind: string, params: object | string, more: object = {}) =>
    trader.get<AlertRow>('/v1/api/forex/alert_add', {
      ...{ forex_id: EUR, price: '0', kind },
      params: typeof params === 'string' ? params : JSON.stringify(params),
      ...more,
    });
  const list = (past = 0) => trader.data<AlertPageRow>('/v1/api/forex/alert_list', { past });
  /** Some prices, a second apart. */
  const prices = async (...steps: number[]) => {
    for (const price of steps) await exchange.market.tick([EUR, price]);
  };
  /** Prices, each of them the close of a minute. */
  const minute = async (...closes: number[]) => {
    for (const close of closes) {
      await prices(close);
      exchange.market.pass(MINUTE - (exchange.market.now() % MINUTE));
      await exchange.clock.pass(2000);
    }
  };
  const told = async (id: number) =>
    (await database.db.select().from(notices))
      .filter(({ subject, userId }) => subject === id && userId === trader.id)
      .map(({ price }) => Number(price));
  /** A line from now on, whose price rises by 0.01 in a minute. */
  const line = (p1 = 1.11, more: object = {}) => {
    const t1 = exchange.market.now();
    return {
      ...{ t1, p1, t2: t1 + MINUTE, p2: p1 + 0.01, scale: 'linear', extend: 'right' },
      ...more,
    };
  };

  it('answers what an alert is on, and lists it', async () => {
    const { code, data } = await add('percent', { change: 2, window: 'day' });
    expect(code).toBe(1);
    expect(data).toMatchObject({
      ...{ Kind: 'percent', Params: '{"change":2,"window":"day"}', Price: '0', Above: 1 },
    });
    expect(await list()).toEqual({ data: [data], total: 1 });
    const { data: price } = await add('price', '', { price: '1.2' });
    expect([price.Kind, price.Params]).toEqual(['price', '']);
    expect((await list()).data).toEqual([price, data]);
  });

  it('needs no price and no instrument where they mean nothing', async () => {
    const path = '/v1/api/forex/alert_add';
    const margin = { kind: 'margin', params: '{"level":"100"}' };
    expect(await trader.get(path, margin)).toMatchObject({
      ...{ code: 1, data: { Code: '', Price: '0', Params: '{"level":100}' } },
    });
    const percent = { forex_id: EUR, kind: 'percent', params: '{"change":2,"window":"day"}' };
    expect(await trader.get(path, percent)).toMatchObject({ code: 1, data: { Price: '0' } });
  });

  it('tells once of a line that the price crosses, where the line is then', async () => {
    const client = await trader.connect();
    const { data } = await add('line', line());
    await prices(1.1101, 1.1103);
    expect(await told(data.Id)).toEqual([]);
    exchange.market.pass(MINUTE);
    // It was above this price, and is so no more.
    await prices(1.1105, 1.1201, 1.121, 1.1);
    expect(await told(data.Id)).toEqual([1.121]);
    await client.settled();
    expect(client.data('FOREX_ALERT')).toMatchObject([{ Id: data.Id, TriggerPrice: '1.12100' }]);
    expect((await list()).total).toBe(0);
  });

  it('tells of a line that comes to the price', async () => {
    const { data } = await add('line', line(1.09, { p2: 1.11 }));
    await prices(1.1);
    exchange.market.pass(MINUTE);
    await prices(1.1);
    expect(await told(data.Id)).toEqual([1.1]);
    expect((await list(1)).data).toMatchObject([{ Above: 0 }]);
  });

  it('follows a line on a logarithmic axis', async () => {
    // Halfway its price is the geometric mean: 2.4, and not 3.
    const { data } = await add('line', line(1.2, { p2: 4.8, scale: 'log' }));
    exchange.market.pass(MINUTE / 2);
    await prices(2.45, 2.6);
    expect(await told(data.Id)).toEqual([2.6]);
  });

  it('waits for a line that has not begun, and ends with one that does not go on', async () => {
    const t1 = exchange.market.now() + MINUTE;
    const { data } = await add('line', line(1.2, { t1, t2: t1 + MINUTE, p2: 1.2, extend: 'none' }));
    expect(data.Until).toBe(exchange.clock.now() + 2 * MINUTE);
    await prices(1.3, 1.1);
    exchange.market.pass(MINUTE);
    await prices(1.3);
    expect(await told(data.Id)).toEqual([]);
    await prices(1.19);
    expect(await told(data.Id)).toEqual([1.19]);
  });

  it('repeats at every crossing of a line, at most once a minute', async () => {
    const { data } = await add('line', line(1.11, { p2: 1.11 }), { repeat: 1 });
    await prices(1.12, 1.1, 1.12);
    exchange.market.pass(MINUTE);
    await prices(1.1);
    exchange.market.pass(MINUTE);
    await prices(1.12);
    expect(await told(data.Id)).toEqual([1.12, 1.1, 1.12]);
  });

  it('tells of a change since the hour began, each hour', async () => {
    const toNextHour = () => {
      exchange.market.pass(3_600_000 - (exchange.market.now() % 3_600_000));
      return prices(1.1);
    };
    await toNextHour();
    const { data } = await add('percent', { change: 1, window: 'hour' }, { repeat: 1 });
    await prices(1.1109, 1.112, 1.1);
    await toNextHour();
    await prices(1.1111);
    expect(await told(data.Id)).toEqual([1.112, 1.1111]);
  });

  it('counts a fall below zero, and not its way back', async () => {
    const { data } = await add('percent', { change: -1, window: 'day' }, { repeat: 1 });
    await prices(1.085);
    exchange.market.pass(2 * MINUTE);
    await prices(1.1);
    exchange.market.pass(2 * MINUTE);
    await prices(1.08);
    expect(await told(data.Id)).toEqual([1.085, 1.08]);
  });

  it('tells at the close of a bar that an indicator has crossed, in its direction', async () => {
    await minute(1.1, 1.12, 1.1);
    const { data } = await add('indicator', { ...RSI, level: 1.15 });
    const { data: down } = await add('indicator', { ...RSI, level: 1.15, cross: 'down' });
    const { data: cross } = await add('indicator', { ...RSI, other: 'price', cross: 'up' });
    await prices(1.3);
    await exchange.clock.pass(2000);
    expect(await told(data.Id)).toEqual([]);
    await minute(1.3, 1.31, 1.1, 1);
    await expect.poll(() => told(data.Id)).toEqual([1.3]);
    await expect.poll(() => told(down.Id)).toEqual([1]);
    await expect.poll(() => told(cross.Id)).toEqual([1.3]);
    expect((await list(1)).data.map(({ Above }) => Above).sort()).toEqual([0, 1, 1]);
  });

  it('tells of a crossing of an indicator during a halt once that is over', async () => {
    const operator = (action: string) =>
      admin(exchange.directory, ['market', action, 'EURUSD', '--confirm']);
    await minute(1.1, 1.12, 1.1);
    const { data } = await add('indicator', { ...RSI, level: 1.15 });
    await operator('close');
    await minute(1.3, 1.3, 1.3);
    await exchange.clock.pass(2000);
    await operator('open');
    expect(await told(data.Id)).toEqual([]);
    await prices(1.3);
    await exchange.clock.pass(2000);
    await expect.poll(() => told(data.Id)).toEqual([1.3]);
  });

  it('stands where the booked margin level does, not where an operator was shown it', async () => {
    const [user] = await database.db.select().from(users).where(eq(users.id, trader.id));
    await trader.submit({ cont: '1', multiple: 100 });
    const debit = ['debit', user?.uid ?? '', '50000', 'Wrong'];
    expect((await admin(exchange.directory, debit)).code).toBe(2);
    const { data } = await add('margin', { level: 7000 }, { forex_id: 0 });
    expect(data.Above).toBe(0);
  });

  it('tells that the margin level falls below a value, and of no position that opens there', async () => {
    const { data: early } = await add('margin', { level: 20000 }, { forex_id: 0 });
    expect(early).toMatchObject({ Code: '', Kind: 'margin', Params: '{"level":20000}' });
    await exchange.clock.pass(1000);
    await trader.submit({ cont: '1', multiple: 100 });
    const { data } = await add('margin', { level: 9000 }, { forex_id: 0 });
    expect(data.Above).toBe(0);
    await exchange.clock.pass(2000);
    expect(await told(early.Id)).toEqual([]);
    await prices(1.05);
    await exchange.clock.pass(2000);
    await prices(1.04);
    await exchange.clock.pass(2000);
    await expect.poll(() => told(data.Id)).toHaveLength(1);
    expect((await told(data.Id))[0]).toBeLessThan(9000);
    expect((await list(1)).data).toMatchObject([{ Id: data.Id, Above: 0 }]);
  });

  it.each([
    ['line', { ...{ t1: 1, p1: 1, t2: 1, p2: 2, scale: 'linear', extend: 'both' } }],
    ['line', '{"t1":1,"p1":NaN,"t2":2,"p2":2,"scale":"linear","extend":"both"}'],
    ['line', { ...{ t1: 1, p1: 1e300, t2: 2, p2: 2, scale: 'log', extend: 'both' } }],
    ['line', { ...{ t1: 1, p1: 1, t2: 2.6e14, p2: 2, scale: 'log', extend: 'none' } }],
    ['percent', { change: 0, window: 'day' }],
    ['percent', { change: -100, window: 'day' }],
    ['percent', { change: 1, window: 'week' }],
    ['margin', { level: 0 }],
    ['margin', '{"level":1e999}'],
    ['indicator', { ...RSI }],
    ['indicator', { ...RSI, level: 1, other: 'price' }],
    ['indicator', { ...RSI, settings: [1e9], level: 1 }],
    ['indicator', { ...RSI, settings: Array(40).fill(2), level: 1 }],
    ['indicator', { ...RSI, name: '__proto__', level: 1 }],
    ['indicator', { ...RSI, period: '2min', level: 1 }],
    ['indicator', { ...RSI, output: 'toString', level: 1 }],
    ['indicator', '[]'],
    ['indicator', 'null'],
    ['indicator', `${'['.repeat(400)}`],
  ])('refuses %s %o', async (kind, params) => {
    const answer = await add(kind as string, params as object);
    expect(answer).toMatchObject({ code: 2, msg: english.rules.conditionInvalid });
    expect((await list()).total).toBe(0);
  });

  it('takes a line with a point in the year 9999, and refuses one that is over', async () => {
    const far = { t1: 1, p1: 1, t2: 253_402_300_799_999, p2: 1e12, scale: 'log', extend: 'both' };
    expect(await add('line', far)).toMatchObject({ code: 1 });
    const over = { ...far, t2: exchange.market.now() - 1, extend: 'left' };
    expect(await add('line', over)).toMatchObject({ code: 2, msg: english.rules.alertEndPast });
    await prices(1.1, 1.2);
  });

  it('counts conditions among the alerts that may wait', async () => {
    for (let i = 0; i < 100; i++) await add('percent', { change: 100 + i, window: 'day' });
    const msg = english.rules.tooManyAlerts.replace('{{max}}', '100');
    expect(await add('margin', { level: 100 }, { forex_id: 0 })).toMatchObject({ code: 2, msg });
  });

  inTurn(it)('takes a hundred of ten thousand at once', async () => {
    let taken = 0;
    for (let sent = 0; sent < samples(400, 10_000); sent += 200) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => add('line', line(2 + sent + index))),
      );
      taken += answers.filter(({ code }) => code === 1).length;
      for (const { code } of answers) expect([1, 2]).toContain(code);
    }
    expect([taken, (await list()).total]).toEqual([100, 100]);
  });
});
