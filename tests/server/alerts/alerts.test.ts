import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AlertPageRow, AlertRow } from '#domain/api/alerts';
import { toDurationMs } from '#domain/core/time';
import english from '#locales/en';
import { alerts, notices } from '../../../server/db/schema';
import { inTurn } from '../../helpers/samples';
import { onEachDatabase } from '../support/database';
import { EUR, NEW, TestExchange, type Trader, XAU } from '../trading/testExchange';

const MINUTE = toDurationMs(60_000);

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

  const add = (params: object, headers = {}) =>
    trader.get<AlertRow>(
      '/v1/api/forex/alert_add',
      { forex_id: EUR, price: '1.2', ...params },
      headers,
    );
  const list = (past = 0, of = trader) =>
    of.data<AlertPageRow>('/v1/api/forex/alert_list', { past });
  const triggered = async () => (await list(1)).data.map(({ Id }) => Id);

  it('answers the alert, and lists it until it triggers', async () => {
    const until = exchange.clock.now() + 3_600_000;
    const { code, data } = await add({ quote: '1.1', note: 'Break-out', until });
    expect(code).toBe(1);
    expect(data).toEqual({
      Id: expect.any(Number),
      Code: 'EURUSD',
      Price: '1.20000',
      Above: 1,
      Repeat: 0,
      Note: 'Break-out',
      Until: until,
      CreatedAt: new Date(exchange.clock.now()).toISOString(),
      TriggeredAt: '',
      Kind: 'price',
      Params: '',
      TriggerPrice: '0',
    });
    expect(await list()).toEqual({ data: [data], total: 1 });
    expect((await list(1)).total).toBe(0);
  });

  it.each([
    ['the level', 1.2, '1.20000'],
    ['a gap over it', 1.31, '1.31000'],
  ])('triggers once, by %s', async (_what, price, TriggerPrice) => {
    const client = await trader.connect();
    const stranger = await (await exchange.demo()).connect();
    const { data } = await add({});
    const { data: fall } = await add({ price: '1.05' });
    await exchange.market.tick([EUR, 1.19999], [XAU, 2000], [EUR, price], [EUR, 1.1], [EUR, price]);
    await client.settled();
    await stranger.settled();
    const TriggeredAt = new Date(exchange.clock.now()).toISOString();
    const told = { ...data, TriggeredAt, TriggerPrice };
    expect(client.data('FOREX_ALERT')).toEqual([told]);
    expect(stranger.data('FOREX_ALERT')).toEqual([]);
    expect(await list(1)).toEqual({ data: [told], total: 1 });
    expect(await list()).toEqual({ data: [{ ...fall, Above: 0 }], total: 1 });
  });

  it('writes a notice in the same transaction', async () => {
    const { data } = await add({});
    await exchange.market.tick([EUR, 1.25]);
    const written = await database.db.select().from(notices);
    expect(written.filter(({ subject }) => subject === data.Id)).toMatchObject([
      { userId: trader.id, kind: 'alerts', code: 'EURUSD', price: '1.25' },
    ]);
  });

  it('repeats at every crossing, in both directions, at most once a minute', async () => {
    const client = await trader.connect();
    await add({ repeat: 1 });
    const prices = async (...steps: number[]) => {
      for (const price of steps) await exchange.market.tick([EUR, price]);
    };
    await prices(1.21, 1.19, 1.22);
    exchange.market.pass(MINUTE);
    // Reached and left again is one crossing from either side.
    await prices(1.2);
    exchange.market.pass(MINUTE);
    await prices(1.23);
    exchange.market.pass(MINUTE);
    await prices(1.19);
    await client.settled();
    expect(
      client.data<AlertRow>('FOREX_ALERT').map((row) => [row.Above, row.TriggerPrice]),
    ).toEqual([
      [1, '1.21000'],
      [0, '1.20000'],
      [0, '1.19000'],
    ]);
    expect((await list()).data).toMatchObject([{ Above: 1, TriggerPrice: '1.19000' }]);
  });

  it('judges the side by the price that the user saw', async () => {
    // It stood at 1.15 when the user set the alert, and has crossed 1.12 downwards meanwhile.
    const { data } = await add({ price: '1.12', quote: '1.15' });
    expect(data).toMatchObject({ Above: 0, TriggerPrice: '1.10000' });
    expect(await triggered()).toEqual([data.Id]);
    const equal = await add({ price: '1.15', quote: '1.15' });
    expect(equal.data).toMatchObject({ Above: 1, TriggerPrice: '1.10000' });
    expect((await add({ price: '1.12', quote: '1.11' })).data).toMatchObject({ TriggerPrice: '0' });
  });

  it('waits until its end', async () => {
    await add({ until: exchange.clock.now() + 1000 });
    await exchange.clock.pass(1000);
    await exchange.market.tick([EUR, 1.3]);
    expect((await list(1)).data).toMatchObject([{ TriggeredAt: '', TriggerPrice: '0' }]);
    expect((await list()).total).toBe(0);
  });

  it('waits until then by the wall clock, wherever that of the market is', async () => {
    const { data } = await add({ until: exchange.clock.now() + 1000 });
    const { time } = exchange.market;
    exchange.market.pass(exchange.clock.now() + 2000 - time);
    await exchange.market.tick([EUR, 1.3]);
    expect(await triggered()).toEqual([data.Id]);
  });

  it('waits no longer once it is deleted', async () => {
    const { data } = await add({});
    const remove = () => trader.get('/v1/api/forex/alert_del', { id: data.Id });
    expect(await remove()).toMatchObject({ code: 1, data: null });
    expect(await remove()).toMatchObject({ code: 2, msg: english.server.alertUnknown });
    await exchange.market.tick([EUR, 1.3]);
    expect([(await list()).total, (await list(1)).total]).toEqual([0, 0]);
  });

  it.each([
    [{ price: '0' }, english.rules.priceNotPositive],
    [{ price: '' }, english.rules.priceNotPositive],
    [{ price: '1.000001' }, english.rules.priceTooFine.replace('{{decimals}}', '5')],
    [{ until: 1 }, english.rules.alertEndPast],
    [{ forex_id: 99 }, english.server.instrumentUnknown],
    [{ forex_id: '' }, english.server.instrumentUnknown],
    [{ forex_id: NEW }, english.rules.noPrice],
  ])('refuses %o', async (params, msg) => {
    expect(await add(params)).toMatchObject({ code: 2, msg });
  });

  inTurn(it)('lets 100 wait', async () => {
    for (let i = 0; i < 100; i++) expect(await add({})).toMatchObject({ code: 1 });
    const msg = english.rules.tooManyAlerts.replace('{{max}}', '100');
    expect(await add({})).toMatchObject({ code: 2, msg });
    await exchange.market.tick([EUR, 1.3]);
    expect(await add({ price: '1.4' })).toMatchObject({ code: 1 });
  });

  it('keeps 500 that wait no longer, also of those that have ended without a crossing', async () => {
    const { data } = await add({ until: exchange.clock.now() + 1000 });
    await exchange.clock.pass(1000);
    const [first] = await database.db.select().from(alerts).where(eq(alerts.id, data.Id));
    const { id: _, ...row } = first ?? expect.fail('no alert');
    await database.db.insert(alerts).values(Array(501).fill(row));
    expect((await list(1)).total).toBe(502);
    await add({});
    expect([(await list()).total, (await list(1)).total]).toEqual([1, 500]);
    const kept = await database.db.select().from(alerts).where(eq(alerts.id, data.Id));
    expect(kept).toEqual([]);
  });

  it('adds one alert for one key', async () => {
    const again = { 'idempotency-key': randomUUID() };
    expect(await add({}, again)).toEqual(await add({}, again));
    expect((await list()).total).toBe(1);
  });

  it('shows nobody the alerts of others', async () => {
    const { data } = await add({});
    const other = await exchange.demo();
    expect((await list(0, other)).total).toBe(0);
    const answer = await other.get('/v1/api/forex/alert_del', { id: data.Id });
    expect(answer).toMatchObject({ code: 2, msg: english.server.alertUnknown });
    expect((await list()).total).toBe(1);
  });
});
