import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { toUnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { halts } from '../../../../server/db/schema';
import { HaltableMarket } from '../../../../server/market/halts/haltableMarket';
import { admin } from '../../admin/adminCommand';
import { TestClient } from '../../socket/testSockets';
import { onEachDatabase } from '../../support/database';
import { instrument, ScriptedMarket } from '../../support/scriptedMarket';
import { as, TestServer } from '../../support/testServer';

const EUR = 1;
const GBP = 2;

onEachDatabase((database) => {
  it('keeps its quote while it is closed, and follows the market when it opens', async () => {
    const inner = new ScriptedMarket([instrument(EUR, 'EURUSD'), instrument(GBP, 'GBPUSD')]);
    const market = new HaltableMarket(inner, database.db);
    const seen: unknown[] = [];
    const stop = market.listen({
      ticks: (ticks) =>
        void seen.push(...ticks.map(({ instrumentId, price }) => [instrumentId, price])),
      status: (ids) => void seen.push(['status', ...ids]),
      barClosed: (id) => void seen.push(['bar', id]),
    });
    const take = () => seen.splice(0);
    const [eurusd] = market.instruments;
    if (!eurusd) throw new Error('no instrument');
    await market.start();
    await inner.tick([EUR, 1.1], [GBP, 1.3]);
    take();

    expect(await market.halt(eurusd)).toBe(true);
    expect(await market.halt(eurusd)).toBe(false);
    expect([...market.closures]).toEqual([['EURUSD', 'halted']]);
    expect(take()).toEqual([['status', EUR]]);
    inner.pass(60_000);
    expect(take()).toEqual([['bar', GBP]]);
    await inner.tick([EUR, 1.2], [GBP, 1.4]);
    await inner.tick([EUR, 1.25]);
    inner.setOpen(EUR, true);
    expect(take()).toEqual([[GBP, 1.4]]);
    expect(market.quote(EUR)).toMatchObject({
      price: 1.1,
      marketOpen: false,
      nextOpen: undefined,
      closedReason: 'halted',
    });
    expect(market.quote(GBP)).toMatchObject({ price: 1.4, marketOpen: true });
    expect(market.currentBar(EUR)).toMatchObject({ close: 1.1 });
    for (const period of ['1min', '5min', '1day'] as const) {
      expect((await market.bars(EUR, period, 10)).map(({ close }) => close)).toEqual([1.1]);
      expect(
        await market.bars(EUR, period, 10, (await market.bars(EUR, period, 1))[0]?.time),
      ).toEqual([]);
    }

    expect(await market.resume(eurusd)).toBe(true);
    expect(await market.resume(eurusd)).toBe(false);
    expect(take()).toEqual([['status', EUR]]);
    expect(market.quote(EUR)).toMatchObject({ price: 1.25, marketOpen: true });
    await inner.tick([EUR, 1.3]);
    expect(take()).toEqual([[EUR, 1.3]]);
    expect((await market.bars(EUR, '1min', 10)).map(({ close }) => close)).toEqual([1.1, 1.3]);
    stop();
    await inner.tick([EUR, 1.35]);
    expect(take()).toEqual([]);
  });

  it('stays closed over a restart', async () => {
    const inner = new ScriptedMarket([instrument(EUR, 'EURUSD')]);
    await inner.tick([EUR, 1.1]);
    const first = new HaltableMarket(inner, database.db);
    await first.start();
    for (const each of first.instruments) await first.halt(each);
    const second = new HaltableMarket(inner, database.db);
    await second.start();
    expect(second.quote(EUR)?.marketOpen).toBe(false);
    for (const each of second.instruments) await second.resume(each);
    const third = new HaltableMarket(inner, database.db);
    await third.start();
    expect(third.closures.size).toBe(0);
  });

  it('leaves the halts to a feed, also where its database has those of when it was alone', async () => {
    const inner = new ScriptedMarket([instrument(EUR, 'EURUSD')]);
    await inner.tick([EUR, 1.1]);
    const alone = new HaltableMarket(inner, database.db);
    await alone.start();
    for (const each of alone.instruments) await alone.halt(each);
    const ofFeed = Object.assign(inner, { setHalted: async () => true });
    const engine = new HaltableMarket(ofFeed, database.db);
    await engine.start();
    expect(engine.quote(EUR)?.marketOpen).toBe(true);
    expect(engine.closures.size).toBe(0);
    await database.db.delete(halts);
  });

  it('records a halt that a feed has not answered in time', async () => {
    const inner = new ScriptedMarket([instrument(EUR, 'EURUSD')]);
    const setHalted = vi.fn().mockRejectedValueOnce(new Error('timeout')).mockResolvedValue(false);
    const engine = new HaltableMarket(Object.assign(inner, { setHalted }), database.db);
    const [eurusd] = engine.instruments as [Instrument];
    const record = vi.fn(async () => {});
    await expect(engine.halt(eurusd, record)).rejects.toThrow('timeout');
    expect(record.mock.calls).toEqual([[database.db, 'no answer.']]);
    expect(await engine.halt(eurusd, record)).toBe(false);
    expect(record).toHaveBeenCalledOnce();
    setHalted.mockRejectedValueOnce(new Error('timeout'));
    record.mockRejectedValueOnce(new Error('no database'));
    await expect(engine.halt(eurusd, record)).rejects.toThrow('timeout');
  });
});

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  it('refuses and triggers no orders, and pushes its status', async () => {
    const { token } = await server.demoUser();
    const client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
    await once(client.socket, 'open');
    await server.market.tick([EUR, 1.1]);
    const order = (status: number, target: string) =>
      server.get(
        `/v1/api/forex/submit?type=1&cont=0.01&forex_id=1&status=${status}&multiple=100&target_price=${target}&stop_loss_price=0&target_profit_price=0`,
        as(token),
      );
    const pending = (await order(0, '1.05')).data;
    expect(pending.Status).toBe(0);
    await client.ask({ type: 'sub', topic: 'DAY_MARKET' });

    expect((await admin(server.directory, ['market', 'close', 'eurusd', '--confirm'])).out).toBe(
      'EURUSD is closed.',
    );
    expect((await admin(server.directory, ['market'])).out).toBe('EURUSD: closed by the operator');
    await client.settled();
    expect(client.data<{ MarketStatus: number }>('DAY_MARKET').at(-1)?.MarketStatus).toBe(0);
    expect((await order(1, '0')).msg).toBe('The market is closed');
    await server.market.tick([EUR, 1.0]);
    const held = (await server.get('/v1/api/forex/my_deal?status=0', as(token))).data;
    expect(held.total).toBe(1);

    expect((await admin(server.directory, ['market', 'open', 'EURUSD'])).code).toBe(0);
    await server.market.tick([EUR, 1.0]);
    const filled = (await server.get('/v1/api/forex/my_deal?status=1', as(token))).data;
    expect(filled.data[0]).toMatchObject({ Id: pending.Id, Price: '1.00000' });
    client.socket.terminate();
  });

  it('is listed with its reason, and so are prices in doubt and a lost exchange', async () => {
    const { market, directory } = server;
    const listed = async () => (await admin(directory, ['market'])).out;
    await market.tick([EUR, 1], [GBP, 1.3]);
    market.setOpen(EUR, false);
    expect(await listed()).toBe('Nothing is closed.');
    market.setOpen(EUR, false, undefined, 'doubt');
    expect(await listed()).toBe('EURUSD: the price is in doubt; the log has it');
    for (const id of [EUR, GBP]) {
      market.setOpen(id, false, undefined, { feed: 'Kraken', since: toUnixMs(id) });
    }
    const lost = 'no prices from Kraken since 1970-01-01T00:00:00Z';
    expect(await listed()).toBe(`EURUSD, GBPUSD: ${lost}`);
    await admin(directory, ['market', 'close', 'EURUSD', '--confirm']);
    expect(await listed()).toBe(`EURUSD: closed by the operator\nGBPUSD: ${lost}`);
  });
});
