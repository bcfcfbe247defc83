import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import type { Database } from '../../../server/db/database';
import { latestTime } from '../../../server/db/latestTime';
import { declaredCalls } from '../support/apiContract';
import { emptyDatabase, onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { as, TestServer } from '../support/testServer';
import { EUR, TestExchange, type Trader } from '../trading/testExchange';

const HOUR = 3_600_000;
const EXPIRED = {
  code: 2,
  msg: 'This request arrived too late and was not executed',
  data: null,
};

const key = () => ({ 'idempotency-key': randomUUID() });

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
  afterAll(() => exchange.close());

  const holding = async () =>
    (await trader.data<OrderPageRow>('/v1/api/forex/my_deal', { status: 1, limit: 500 })).data;
  /** The server's clock `ms` from now. */
  const within = (ms: number) => ({ valid_until: exchange.clock.now() + ms });

  it('are listed as a feature', async () => {
    const { data } = await exchange.get<{ features: string[] }>('/api/basicSet/getBasicInfo');
    expect(data.features).toContain('deadlines');
  });

  it('accept a call until then, and refuse it later', async () => {
    const deadline = within(5000);
    exchange.clock.pass(5000);
    expect((await trader.submit(deadline)).code).toBe(1);
    exchange.clock.pass(1);
    expect(await trader.submit(deadline)).toEqual(EXPIRED);
    expect(await holding()).toHaveLength(1);
  });

  it('are absent if they are 0 or empty, and malformed if they are no time', async () => {
    expect((await trader.submit({ valid_until: 0 })).code).toBe(1);
    expect((await trader.submit({ valid_until: '' })).code).toBe(1);
    for (const valid_until of ['soon', '-1', '1e3', '1.5']) {
      expect((await trader.submit({ valid_until })).code).toBe(400);
    }
  });

  it('do not affect a stored answer, which is replayed at any time', async () => {
    const deadline = within(5000);
    const [accepted, expired] = [key(), key()];
    const first = await trader.submit<OrderRow>(deadline, accepted);
    exchange.clock.pass(6000);
    expect(await trader.submit(deadline, expired)).toEqual(EXPIRED);
    exchange.clock.pass(23 * HOUR);
    expect(await trader.submit(deadline, accepted)).toEqual(first);
    expect(await trader.submit(deadline, expired)).toEqual(EXPIRED);
    expect(await holding()).toHaveLength(1);
  });

  it('are parameters: another one is another request', async () => {
    const keyHeader = key();
    await trader.submit(within(5000), keyHeader);
    expect((await trader.submit(within(6000), keyHeader)).code).toBe(422);
    expect((await trader.submit({}, keyHeader)).code).toBe(422);
  });

  it('are checked when the call has its turn, not when it arrives', async () => {
    const release = exchange.market.hold();
    const keyHeader = key();
    const deadline = within(1000);
    // Whichever arrives first waits for its turn; the other one finds the key in use.
    const both = [trader.submit(deadline, keyHeader), trader.submit(deadline, keyHeader)];
    expect((await Promise.race(both)).code).toBe(409);
    exchange.clock.pass(1001);
    await release();
    expect(await Promise.all(both)).toContainEqual(EXPIRED);
    expect(await trader.submit(deadline, keyHeader)).toEqual(EXPIRED);
    expect(await holding()).toEqual([]);
  });

  it('are checked on every attempt', async () => {
    const keyHeader = key();
    const deadline = within(1000);
    const write = vi.spyOn(database.db, 'transaction').mockRejectedValueOnce(new Error('broken'));
    expect((await trader.submit(deadline, keyHeader)).code).toBe(500);
    write.mockRestore();
    exchange.clock.pass(1001);
    expect(await trader.submit(deadline, keyHeader)).toEqual(EXPIRED);
    expect(await holding()).toEqual([]);
  });

  it('are not extended by a clock that is set back', async () => {
    const deadline = within(1000);
    exchange.clock.setBack(HOUR);
    exchange.clock.pass(1000);
    expect((await trader.submit(deadline)).code).toBe(1);
    exchange.clock.pass(1000);
    expect(await trader.submit(deadline)).toEqual(EXPIRED);
  });
});

describe('on a server of their own, they', () => {
  let database: Database;
  const clock = new FakeClock();
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  it('are not extended by a clock that was set back before a restart', async () => {
    const before = await TestServer.open(database.db, { clock });
    const { token } = await before.demoUser();
    const reset = (server: TestServer, valid_until: number) =>
      server.get(`/v1/api/main/user/resetForexDemoAccount?valid_until=${valid_until}`, {
        ...as(token),
        ...key(),
      });
    const now = clock.now();
    expect((await reset(before, now)).code).toBe(1);
    await before.close();
    clock.setBack(HOUR);
    const after = await TestServer.open(database.db, { clock });
    expect((await reset(after, now)).code).toBe(1);
    expect(await reset(after, now - 1)).toMatchObject(EXPIRED);
    await after.close();
  });

  it('are not extended where the last booking before the restart was rolled back', async () => {
    const before = await TestServer.open(database.db, { clock });
    await before.demoUser();
    await before.close();
    const booked = clock.now();
    expect(await latestTime(database.db)).toBe(booked);
    await database.db.execute(sql`select setval('journal_entries_id_seq', 1000)`);
    expect(await latestTime(database.db)).toBe(booked);
  });

  it('belong to every call that is done once', async () => {
    const server = await TestServer.open(database.db, { clock });
    const { token } = await server.realUser();
    const calls = declaredCalls().filter(({ effect }) => effect === 'once');
    expect(calls.length).toBeGreaterThan(11);
    const valid_until = clock.now() - 1;
    for (const { path, method, params } of calls) {
      expect(Object.keys(params.entries), path).toContain('valid_until');
      const headers = { ...as(token), ...key() };
      const answer =
        method === 'GET'
          ? await server.get(`${path}?valid_until=${valid_until}`, headers)
          : await server.post(path, { valid_until }, headers);
      expect(answer, path).toMatchObject(EXPIRED);
    }
    await server.close();
  });
});
