import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/api/envelope';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import { answers } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { eventually } from '../../helpers/eventually';
import { onEachDatabase } from '../support/database';
import { EUR, TestExchange, type Trader } from '../trading/testExchange';

const HOUR = 3_600_000;

onEachDatabase((database) => {
  let exchange: TestExchange;
  let trader: Trader;
  beforeAll(async () => {
    exchange = await TestExchange.open(database.db);
  });
  beforeEach(async () => {
    await exchange.market.tick([EUR, 1.1]);
    trader = await exchange.demo();
  });
  afterAll(async () => {
    expect(await audit(database.db)).toEqual([]);
    await exchange.close();
  });

  const key = () => ({ 'idempotency-key': randomUUID() });
  const orders = async (status: number) =>
    (await trader.data<OrderPageRow>('/v1/api/forex/my_deal', { status, limit: 500 })).data;

  describe('the same key', () => {
    it('returns the first answer, and nothing is done again', async () => {
      const keyHeader = key();
      const first = await trader.submit<OrderRow>({}, keyHeader);
      expect(first.code).toBe(1);
      await exchange.market.tick([EUR, 1.2]);
      expect(await trader.submit({}, keyHeader)).toEqual(first);
      expect(await trader.submit({ t: Date.now() }, keyHeader)).toEqual(first);
      const upper = { 'idempotency-key': keyHeader['idempotency-key'].toUpperCase() };
      expect(await trader.submit({}, upper)).toEqual(first);
      expect(await orders(1)).toHaveLength(1);
    });

    it('returns a refusal again, even if the request would be accepted by now', async () => {
      exchange.market.setOpen(EUR, false);
      const keyHeader = key();
      const first = await trader.submit({}, keyHeader);
      expect(first).toMatchObject({ msg: 'The market is closed', data: null });
      await exchange.market.tick([EUR, 1.1]);
      expect(await trader.submit({}, keyHeader)).toEqual(first);
      expect((await trader.submit({}, key())).code).toBe(1);
    });

    it('returns the answer to a malformed request again', async () => {
      const keyHeader = key();
      const first = await trader.submit({ type: 'buy' }, keyHeader);
      expect(first.code).toBe(400);
      expect(await trader.submit({ type: 'buy' }, keyHeader)).toEqual(first);
      expect((await trader.submit({}, keyHeader)).code).toBe(422);
    });

    it('is refused with 422 for other parameters and for another call', async () => {
      const keyHeader = key();
      const first = await trader.submit<OrderRow>({}, keyHeader);
      const other = [
        await trader.submit({ cont: '2' }, keyHeader),
        await trader.submit({ deviation: '1' }, keyHeader),
        await trader.get('/v1/api/forex/close', { id: first.data.Id }, keyHeader),
      ];
      expect(other.map(({ code, data }) => [code, data])).toEqual(other.map(() => [422, null]));
      expect(other[0]?.msg).toBe('This request was already sent with different contents');
      expect(await trader.submit({}, keyHeader)).toEqual(first);
      expect(await orders(1)).toHaveLength(1);
    });

    it('is refused with 409 while the first call runs, and answered after it', async () => {
      const keyHeader = key();
      const release = exchange.market.hold();
      // The first of the two waits for the market.
      const both = [trader.submit({}, keyHeader), trader.submit({}, keyHeader)];
      const busy = await Promise.race(both);
      expect(busy).toMatchObject({ code: 409, data: null });
      expect((await trader.submit({ cont: '2' }, keyHeader)).code).toBe(422);
      await release();
      const done = (await Promise.all(both)).find(({ code }) => code !== 409);
      expect(done?.code).toBe(1);
      expect(await trader.submit({}, keyHeader)).toEqual(done);
      expect(await orders(1)).toHaveLength(1);
    });

    it('is another request for another user', async () => {
      const keyHeader = key();
      const other = await exchange.demo();
      const [mine, theirs] = [
        await trader.submit<OrderRow>({}, keyHeader),
        await other.submit<OrderRow>({}, keyHeader),
      ];
      expect(theirs.code).toBe(1);
      expect(theirs.data.Id).not.toBe(mine.data.Id);
    });

    it('is forgotten after 24 hours, and its answer is deleted', async () => {
      const keyHeader = key();
      const first = await trader.submit<OrderRow>({}, keyHeader);
      exchange.clock.pass(24 * HOUR - 1);
      expect(await trader.submit({}, keyHeader)).toEqual(first);
      exchange.clock.pass(1);
      const later = await trader.submit<OrderRow>({}, keyHeader);
      expect(later.data.Id).not.toBe(first.data.Id);
      expect(await trader.submit({}, keyHeader)).toEqual(later);
      exchange.clock.jump(24 * HOUR);
      await eventually(async () => {
        exchange.clock.pass(HOUR);
        expect(await database.db.$count(answers)).toBe(0);
      });
    });

    it('takes no room once its answer is deleted, where nothing but the server vacuums', async () => {
      await trader.submit({}, key());
      exchange.clock.jump(24 * HOUR);
      const size = sql`select pg_relation_size('answers')::integer as size`;
      await eventually(async () => {
        exchange.clock.pass(HOUR);
        expect((await database.db.execute(size)).rows).toEqual([{ size: 0 }]);
      });
    });

    it('is not stored without a login: 999 is no answer', async () => {
      const keyHeader = key();
      expect((await exchange.get('/v1/api/forex/submit', {}, keyHeader)).code).toBe(999);
      expect((await trader.submit({}, keyHeader)).code).toBe(1);
    });
  });

  it('is refused if it is no UUID', async () => {
    const answer = await trader.submit({}, { 'idempotency-key': 'mine' });
    expect(answer).toMatchObject({ code: 400, data: null });
    expect(await orders(1)).toEqual([]);
  });

  it('a call without a key is carried out for each request', async () => {
    await trader.submit();
    await trader.submit();
    expect(await orders(1)).toHaveLength(2);
  });

  it('a finished request is answered to all who repeat it, also while one of them waits', async () => {
    const keyHeader = key();
    const first = await trader.submit<OrderRow>({ cont: '0.01' }, keyHeader);
    const release = exchange.market.hold();
    // One of them waits for the market; the others do not wait for that one.
    const repeated = Array.from({ length: 50 }, () => trader.submit({ cont: '0.01' }, keyHeader));
    const answers: unknown[] = [];
    for (const each of repeated) void each.then((answer) => answers.push(answer));
    await expect.poll(() => answers.length).toBe(49);
    await release();
    for (const answer of await Promise.all(repeated)) expect(answer).toEqual(first);
    expect(await orders(1)).toHaveLength(1);
  });

  it('a hundred simultaneous requests with one key are one order', async () => {
    const keyHeader = key();
    const all = await Promise.all(
      Array.from({ length: 100 }, () => trader.submit<OrderRow>({ cont: '0.01' }, keyHeader)),
    );
    const codes = new Set(all.map(({ code }) => code));
    expect([...codes].every((code) => code === 1 || code === 409)).toBe(true);
    const ids = all.flatMap(({ code, data }) => (code === 1 ? [data.Id] : []));
    expect(new Set(ids).size).toBe(1);
    expect(await orders(1)).toHaveLength(1);
  });

  it('an order is closed once, however many requests try', async () => {
    const { data } = await trader.submit<OrderRow>();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => trader.get('/v1/api/forex/close', { id: data.Id }, key())),
    );
    expect(all.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(new Set(all.filter(({ code }) => code !== 1).map(({ msg }) => msg))).toEqual(
      new Set(['Only an open position can be closed']),
    );
  });

  describe('each changing call is carried out once', () => {
    const calls: [path: string, params: (id: number) => Record<string, number>][] = [
      ['/v1/api/forex/close', (id) => ({ id })],
      [
        '/v1/api/forex/set_stop_price',
        (id) => ({ id, stop_loss_price: 1, target_profit_price: 2 }),
      ],
      ['/v1/api/main/user/resetForexDemoAccount', () => ({})],
    ];
    it.each(calls)('%s', async (path, params) => {
      const { data } = await trader.submit<OrderRow>();
      const keyHeader = key();
      const first = await trader.get(path, params(data.Id), keyHeader);
      expect(first).toMatchObject({ code: 1, msg: expect.stringMatching(/\w/) });
      await exchange.market.tick([EUR, 1.3]);
      expect(await trader.get(path, params(data.Id), keyHeader)).toEqual(first);
    });

    it('/v1/api/forex/cancel_trade', async () => {
      const { data } = await trader.submit<OrderRow>({ status: 0, target_price: '1.01' });
      const keyHeader = key();
      const cancel = () => trader.get('/v1/api/forex/cancel_trade', { id: data.Id }, keyHeader);
      const first = await cancel();
      expect(first).toMatchObject({ code: 1, msg: 'Order cancelled' });
      expect(await cancel()).toEqual(first);
    });
  });

  describe('a request that the page did not make', () => {
    const foreign: [what: string, headers: Record<string, string>][] = [
      ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['another site without an origin', { 'sec-fetch-site': 'cross-site' }],
      ['a navigation', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }],
      ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ];
    const paths = ['submit', 'close', 'cancel_trade', 'set_stop_price'].map(
      (name) => `/v1/api/forex/${name}`,
    );
    it.each(foreign)('(%s) changes nothing', async (_, headers) => {
      for (const path of [...paths, '/v1/api/main/user/resetForexDemoAccount']) {
        const answer: Envelope<unknown> = await trader.get(path, { id: 1 }, headers);
        expect(answer).toMatchObject({ code: 403, data: null });
      }
      expect((await trader.submit({}, headers)).code).toBe(403);
      expect(await orders(1)).toEqual([]);
    });

    it('may still read', async () => {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      expect((await trader.get('/v1/api/main/wallet/getBalance', {}, headers)).code).toBe(1);
    });
  });
});
