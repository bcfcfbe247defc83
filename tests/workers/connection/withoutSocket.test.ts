import { describe, expect, it } from 'vitest';
import type { AlertRow } from '#domain/api/alerts';
import { toLots } from '#domain/core/units';
import { COLUMN_VALUE_STRIDE } from '#domain/worker/grid';
import { FRAME_MS } from '#domain/worker/workerApi';
import { PageChart } from '../support/pageChart';
import type { ScriptedSockets } from '../support/scriptedSocket';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { TICKET } from '../support/ticket';
import { tickRow, ticks } from '../support/ticks';

const LIST = '/v1/api/forex/trade_list';
const DEAL = '/v1/api/forex/my_deal';
const KLINE = '/v1/api/forex/kline';
const INFO = '/api/basicSet/getBasicInfo';
const SUBMIT = '/v1/api/forex/submit';
const ALERTS = '/v1/api/forex/alert_list';
const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';

interface Prices {
  close: string;
  time: number;
  more?: { Bid?: string; Ask?: string };
}

/** A worker of a user, behind a network that does this to websockets. */
async function behind(block: (sockets: ScriptedSockets) => void, user = true) {
  const storage = new MemoryStorage();
  if (user) await storage.set('token', 'secret');
  const time = Date.UTC(2026, 0, 5, 11);
  const prices = new Map<number, Prices>([
    [1, { close: '1.1', time }],
    [2, { close: '0.6', time }],
  ]);
  const rows = () =>
    [...prices].map(([id, { close, time, more }]) =>
      instrumentRow(id, ['', 'EURUSD', 'NZDUSD'][id] ?? `I${id}`, {
        ForexQuotations: { Open: '1', Close: close, Change: '10', Time: time, ...more },
      }),
    );
  const worker = createTestWorker([], { storage });
  const { clock, server, sockets, workerApi, shown } = worker;
  const testServer = new TestServer(worker, rows());
  // Its clock is another one than this machine's.
  testServer.wall = () => clock.steady + 3_600_000;
  server.on(LIST, () => ({ data: rows() }));
  block(sockets);
  const move = (close: string, more: Prices['more'] = {}, id = 1) => {
    prices.set(id, { close, time: clock.steady, more });
    testServer.prices.set(id, close);
  };
  const count = (path: string) => server.to(path).length;
  workerApi.watch({ instruments: { add: [1, 2], remove: [] } });
  return { ...worker, testServer, storage, move, count, state: () => shown.connection?.state };
}

const refuse = (sockets: ScriptedSockets) => {
  sockets.refused = true;
};
const BLOCKS: [string, typeof refuse][] = [
  ['refuses websockets', refuse],
  [
    'never answers them',
    (sockets) => {
      sockets.reachable = false;
    },
  ],
  [
    'opens them and lets nothing through',
    (sockets) => {
      sockets.deaf = true;
    },
  ],
];

describe.each(BLOCKS)('a network that %s', (_, block) => {
  it('has prices of at most 4 s after 15 s, until a websocket works', async () => {
    const { start, clock, sockets, shown, move, count, state } = await behind(block);
    start();
    await clock.advance(16_000);
    for (let price = 1200; price < 1260; price++) {
      move(`${price / 1000}`);
      await clock.advance(4000);
      expect(shown.quotes.get(1)).toMatchObject({ close: price / 1000, stale: false });
      expect(state()).toBe('slow');
    }
    expect(shown.quotes.get(2)).toMatchObject({ close: 0.6, stale: false });
    expect(shown.events).toEqual([]);

    sockets.refused = sockets.deaf = false;
    sockets.reachable = true;
    await clock.advance(35_000);
    expect(state()).toBe('live');
    const asked = [LIST, DEAL, INFO].map(count);
    await clock.advance(600_000);
    expect([LIST, DEAL, INFO].map(count)).toEqual(asked);
  });

  it('shows prices as stale 10 s after the last list, and as current with the next', async () => {
    const { start, clock, server, shown, state } = await behind(block);
    start();
    await clock.advance(30_000);
    const list = server.routes.get(LIST);
    server.on(LIST, () => ({ fault: 'ERR_NETWORK' }));
    await clock.advance(7000);
    expect(state()).toBe('slow');
    await clock.advance(4000);
    expect(state()).toBe('stale');
    expect(shown.quotes.get(2)?.stale).toBe(true);
    if (list) server.on(LIST, list);
    await clock.advance(30_000);
    expect(state()).toBe('slow');
    expect(shown.quotes.get(2)?.stale).toBe(false);
  });
});

describe('without a websocket', () => {
  it('no list is polled while one is lost for less than 15 s, nor after a sleep', async () => {
    const { start, clock, sockets, count, state } = await behind(() => {});
    start();
    await clock.advance(10_000);
    const lists = count(LIST);
    sockets.refused = true;
    sockets.last.drop();
    await clock.advance(14_900);
    expect(count(LIST)).toBe(lists);
    sockets.refused = false;
    await clock.advance(5000);
    expect(state()).toBe('live');
    const again = count(LIST);
    clock.sleep(3_600_000);
    await clock.advance(4900);
    expect(state()).toBe('live');
    expect(count(LIST) - again).toBeLessThanOrEqual(1);
  });

  it('what has not changed costs no frame and nothing in the storage', async () => {
    const { start, clock, server, storage, shown, move } = await behind(refuse);
    server.on(KLINE, () => ({ data: [] }));
    start();
    await clock.advance(90_000);
    let stored = 0;
    const { set } = storage;
    storage.set = (key, value) => {
      stored += 1;
      return set(key, value);
    };
    const frames = shown.frames.length;
    await clock.advance(300_000);
    expect(shown.frames.length).toBe(frames);
    expect(stored).toBe(0);
    const { quotes, listRevision, ordersRevision } = shown;
    const other = quotes.get(2);
    move('1.3');
    await clock.advance(4000);
    expect(shown.frames.length).toBe(frames + 1);
    expect(quotes.get(2)).toBe(other);
    expect(shown).toMatchObject({ listRevision, ordersRevision });
  });

  it('ages count from when the price came', async () => {
    const { start, clock, shown, move } = await behind(refuse);
    start();
    await clock.advance(30_000);
    move('1.2');
    await clock.advance(3100);
    const arrived = shown.quotes.get(1)?.arrived ?? 0;
    expect(clock.now() - arrived).toBeLessThanOrEqual(3100);
    await clock.advance(60_000);
    expect(shown.quotes.get(1)?.arrived).toBe(arrived);
  });

  it('bid and ask follow the list, each by itself', async () => {
    const { start, clock, workerApi, shown, move } = await behind(refuse);
    start();
    await workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
    const told = () => shown.frames.flatMap(({ topsOfBook }) => topsOfBook ?? []).at(-1);
    move('1.2', { Bid: '1.19', Ask: '1.21' });
    await clock.advance(20_000);
    expect(told()).toEqual({ id: 1, bid: 1.19, ask: 1.21 });
    move('1.2', { Ask: '1.22' });
    await clock.advance(4000);
    expect(told()).toEqual({ id: 1, bid: 1.19, ask: 1.22 });
    move('1.2', { Bid: '0' });
    await clock.advance(4000);
    expect(told()).toEqual({ id: 1, bid: 0, ask: 1.22 });
  });

  it('the last bar of a chart follows, and what has not moved is not asked for', async () => {
    const { start, clock, server, workerApi, shown, move, count } = await behind(refuse);
    const time = Date.UTC(2026, 0, 5, 12) / 1000;
    let close = '1.1';
    server.on(KLINE, () => ({
      data: [{ Time: time, Open: '1', High: '2', Low: '1', Close: close, Volume: '1' }],
    }));
    start();
    workerApi.watch({ candles: { add: [{ instrumentId: 1, period: '1min' }], remove: [] } });
    await clock.advance(20_000);
    const asked = count(KLINE);
    await clock.advance(60_000);
    expect(count(KLINE)).toBe(asked);
    close = '1.4';
    move(close);
    await clock.advance(6000);
    const chart = new PageChart();
    for (const candles of shown.candles) chart.apply(candles);
    expect(chart.bars.at(-1)?.close).toBe(1.4);
    expect(count(KLINE)).toBe(asked + 1);
  });

  it('the bars of a grid’s columns follow, those of some instruments at a time', async () => {
    const { start, clock, server, workerApi, shown, move, count } = await behind(refuse);
    const ids = Array.from({ length: 25 }, (_, index) => index + 1);
    const time = Date.UTC(2026, 0, 5, 12) / 1000;
    let high = '2';
    server.on(KLINE, () => ({
      data: [{ Time: time, Open: '1', High: high, Low: '1', Close: '1', Volume: '1' }],
    }));
    for (const id of ids) move('1.5', {}, id);
    start();
    const add = ids.map((id) => ({ id, instrumentId: id, spec: { period: '1min' as const } }));
    await workerApi.watchColumnValues({ add, remove: [] });
    const highs = () => {
      const told = new Map<number, number>();
      for (const { columnValues: numbers = [] } of shown.frames)
        for (let at = 0; at < numbers.length; at += COLUMN_VALUE_STRIDE)
          told.set(numbers[at] ?? 0, numbers[at + 2] ?? 0);
      return ids.filter((id) => told.get(id) === Number(high)).length;
    };
    await clock.advance(60_000);
    expect(highs()).toBe(25);
    const asked = count(KLINE);
    await clock.advance(60_000);
    expect(count(KLINE)).toBe(asked);
    high = '3';
    for (const id of ids) move('1.6', {}, id);
    const seen: number[] = [];
    // The frame of a poll comes an interval after it at the latest.
    await clock.advance(FRAME_MS);
    for (let poll = 0; poll < 4; poll++) {
      await clock.advance(3000);
      seen.push(highs());
    }
    expect(seen).toEqual([10, 20, 25, 25]);
  });

  it('an alert of the server that triggers is told once, and none that had triggered before or was deleted', async () => {
    const { start, clock, server, sockets, shown, testServer } = await behind(refuse);
    const alert = (Id: number, more: Partial<AlertRow> = {}): AlertRow => ({
      ...{ Id, Code: 'EURUSD', Price: '1.20000', Above: 1, Repeat: 0, Note: '', Until: 0 },
      CreatedAt: '2026-01-05T08:00:00.000Z',
      ...{ TriggeredAt: '', TriggerPrice: '0' },
      ...more,
    });
    const at = (minute: number) => ({ TriggeredAt: `2026-01-05T12:0${minute}:00.000Z` });
    const info = server.routes.get(INFO);
    server.on(INFO, async (asked) => {
      const reply = await info?.(asked);
      return {
        data: { ...(reply && 'data' in reply && (reply.data as object)), features: ['alerts'] },
      };
    });
    let waiting = [alert(1), alert(2), alert(3), alert(4, { Repeat: 1, ...at(0) })];
    let past = [alert(5, at(0))];
    server.on(ALERTS, ({ params }) => {
      const data = params['past'] === '1' ? past : waiting;
      return { data: { data, total: data.length } };
    });
    const told = () =>
      shown.events.flatMap((event) => (event.type === 'alert-triggered' ? [event.alert.id] : []));
    start();
    await clock.advance(30_000);
    // The third is deleted.
    waiting = [alert(2), alert(4, { Repeat: 1, ...at(0) })];
    past = [alert(1, at(1)), alert(5, at(0))];
    await clock.advance(4000);
    expect(told()).toEqual([1]);
    waiting = [alert(2), alert(4, { Repeat: 1, ...at(2) })];
    await clock.advance(60_000);
    expect(told()).toEqual([1, 4]);

    // What a push tells meanwhile is not told again by a later poll.
    sockets.refused = false;
    while (sockets.all.every(({ asked }) => asked.length === 0)) await clock.advance(100);
    await clock.advance(1000);
    past = [alert(2, at(3)), ...past];
    waiting = [alert(4, { Repeat: 1, ...at(2) })];
    sockets.last.receive({ type: 'FOREX_ALERT', data: alert(2, at(3)) });
    await clock.advance(1000);
    sockets.refused = true;
    sockets.last.drop();
    // Set by another device, and triggered before the first poll.
    await clock.advance(1000);
    past = [alert(6, { TriggeredAt: new Date(testServer.wall()).toISOString() }), ...past];
    await clock.advance(60_000);
    expect(told()).toEqual([1, 4, 2, 6]);
  });

  it('an order carries a deadline of the server’s clock, once, whatever is lost', async () => {
    const { start, clock, server, workerApi, testServer } = await behind(refuse);
    start();
    await clock.advance(20_000);
    const submit = server.routes.get(SUBMIT);
    let lost = 2;
    server.on(SUBMIT, async (asked) => {
      const reply = await submit?.(asked);
      lost -= 1;
      return lost < 0 && reply ? reply : { fault: 'ERR_NETWORK' };
    });
    const sentAt = testServer.wall();
    const sent = workerApi.submit(TICKET, KEY);
    await clock.advance(10_000);
    expect((await sent).ok).toBe(true);
    const until = server.to(SUBMIT).map(({ params }) => params['valid_until']);
    expect(until).toEqual(Array(3).fill(`${sentAt + 5000}`));
    expect(testServer.orders.size).toBe(1);
  });

  it('a reversal opens within a thousandth of the price seen, and closes nothing where that has moved on', async () => {
    const { start, clock, server, workerApi, testServer } = await behind(refuse);
    testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    start();
    await clock.advance(20_000);
    const keys = { close: KEY, open: `${KEY}2` };
    const reverse = async (quoteSeen: string) => {
      const result = workerApi.reverseOrder({ id: 1, lots: toLots('0.1') }, quoteSeen, keys);
      await clock.advance(1000);
      return result;
    };
    expect(await reverse('1.1012')).toMatchObject({ failure: { message: { key: 'priceMoved' } } });
    expect(testServer.executed.size).toBe(0);
    expect(await reverse('1.101')).toMatchObject({ data: { opened: { side: 'sell' } } });
    const [submitted] = server.to(SUBMIT);
    expect(submitted?.params).toMatchObject({ target_price: '1.101', deviation: '0.001101' });
  });

  it('the clock is asked for again once this machine’s was set', async () => {
    const { start, clock, server, workerApi, testServer } = await behind(refuse);
    start();
    await clock.advance(20_000);
    clock.set(-1_000_000);
    await clock.advance(3000);
    const sentAt = testServer.wall();
    const sent = workerApi.submit(TICKET, KEY);
    await clock.advance(1000);
    expect((await sent).ok).toBe(true);
    expect(server.to(SUBMIT)[0]?.params['valid_until']).toBe(`${sentAt + 5000}`);
  });

  it('a server that tells no clock is sent no deadline, 10 s after its first answer', async () => {
    const { start, clock, server, workerApi } = await behind(refuse);
    const info = server.routes.get(INFO);
    server.on(INFO, async (asked) => {
      const reply = await info?.(asked);
      return { data: { ...(reply && 'data' in reply && (reply.data as object)), wall: undefined } };
    });
    start();
    await clock.advance(20_000);
    const sent = workerApi.submit(TICKET, KEY);
    await clock.advance(1000);
    expect((await sent).ok).toBe(true);
    expect(server.to(SUBMIT)[0]?.params).not.toHaveProperty('valid_until');
  });

  it('orders that the market changes are seen, each end once, with the balance', async () => {
    const { start, clock, shown, testServer, count } = await behind(refuse);
    const open = (status: string) =>
      testServer.open({ forex_id: '1', status, cont: '0.1', target_price: '1.05' });
    open('1');
    open('0');
    start();
    await clock.advance(30_000);
    const before = shown.account?.balance;
    testServer.end(1, 'stop_out');
    testServer.fill(2);
    await clock.advance(5000);
    const ended = shown.events.flatMap((event) =>
      event.type === 'order-closed' ? [[event.order.id, event.order.closeReason]] : [],
    );
    expect(ended).toEqual([[1, 'stop_out']]);
    expect(shown.account?.balance).not.toBe(before);
    const detail = count('/v1/api/main/account/forexDetail');
    await clock.advance(60_000);
    expect(count('/v1/api/main/account/forexDetail')).toBe(detail);
  });

  it('a list from before a sleep proves nothing', async () => {
    const { start, clock, server, state } = await behind(refuse);
    start();
    await clock.advance(30_000);
    const list = server.routes.get(LIST);
    let release = () => {};
    server.on(LIST, async (asked) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return (await list?.(asked)) ?? { fault: 'ERR_NETWORK' };
    });
    await clock.advance(4000);
    clock.sleep(60_000);
    await clock.advance(0);
    release();
    await clock.advance(100);
    expect(state()).toBe('stale');
  });

  it('a hidden page asks for what may notify, more seldom, and where nothing may for nothing', async () => {
    const trader = await behind(refuse);
    trader.testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    const ages: [Awaited<ReturnType<typeof behind>>, number][] = [
      [trader, 40],
      [await behind(refuse), 0],
      [await behind(refuse, false), 0],
    ];
    for (const [{ start, clock, workerApi, count, state }, polls] of ages) {
      start();
      await clock.advance(30_000);
      workerApi.setVisible(false);
      await clock.advance(5000);
      const [lists, orders] = [count(LIST), count(DEAL)];
      await clock.advance(600_000);
      expect(count(LIST) - lists).toBe(polls);
      expect(count(DEAL) - orders).toBe(2 * polls);
      workerApi.setVisible(true);
      await clock.advance(100);
      expect(count(LIST) - lists).toBe(polls + 1);
      expect(state()).toBe('slow');
    }
  });

  it('a server that asks to wait is left alone as long', async () => {
    const { start, clock, server, count } = await behind(refuse);
    start();
    await clock.advance(30_000);
    const list = server.routes.get(LIST);
    server.on(LIST, () => ({ status: 429, headers: { 'retry-after': '60' } }));
    await clock.advance(3000);
    if (list) server.on(LIST, list);
    const asked = [LIST, DEAL].map(count);
    await clock.advance(56_000);
    expect([LIST, DEAL].map(count)).toEqual(asked);
    await clock.advance(7000);
    expect(count(LIST)).toBeGreaterThan(asked[0] ?? 0);
  });

  it('the server’s features are asked for until they are known', async () => {
    const { start, clock, server, count } = await behind(refuse);
    const info = server.routes.get(INFO);
    server.on(INFO, () => ({ fault: 'ERR_NETWORK' }));
    start();
    await clock.advance(20_000);
    if (info) server.on(INFO, info);
    const asked = count(INFO);
    await clock.advance(10_000);
    expect(count(INFO)).toBe(asked + 1);
  });

  it('messages that come again are believed at once', async () => {
    const { start, clock, sockets, state } = await behind(refuse);
    start();
    await clock.advance(30_000);
    sockets.refused = false;
    while (sockets.all.every(({ asked }) => asked.length === 0)) await clock.advance(100);
    sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.5', { Time: clock.steady })));
    await clock.advance(100);
    expect(state()).toBe('live');
  });

  it('a position is closed once', async () => {
    const { start, clock, workerApi, testServer } = await behind(refuse);
    testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    start();
    await clock.advance(20_000);
    const closed = workerApi.closeOrder({ id: 1, lots: toLots('0.1') }, KEY);
    await clock.advance(1000);
    expect(await closed).toMatchObject({ ok: true });
    expect(testServer.executed.size).toBe(1);
  });
});
