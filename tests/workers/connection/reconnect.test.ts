import { describe, expect, it } from 'vitest';
import { held } from '../support/scriptedHttp';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
  type TestWorkerOptions,
} from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const LIST = '/v1/api/forex/trade_list';
const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];

async function watching(
  rows: unknown[] = ROWS,
  options: TestWorkerOptions = {},
): Promise<TestWorker> {
  const worker = createTestWorker(rows, options);
  // Sends the present state once to each new subscription.
  worker.sockets.onSent = (message, socket) => {
    if (message.type === 'sub' && message.topic === 'DAY_MARKET')
      socket.receive(ticks(tickRow(1, 'EURUSD', '1.1'), tickRow(2, 'NZDUSD', '1.1')));
  };
  worker.start();
  await worker.clock.advance(100);
  worker.workerApi.watch({ instruments: { add: [1, 2], remove: [] } });
  await worker.clock.advance(5000);
  return worker;
}

const stale = ({ shown }: TestWorker) => [1, 2].map((id) => shown.quotes.get(id)?.stale);

describe('the state of the connection', () => {
  it('is connecting until something was received', async () => {
    const worker = createTestWorker(ROWS);
    worker.sockets.deaf = true;
    worker.start();
    await worker.clock.advance(1000);
    expect(worker.shown.connection?.state).toBe('connecting');
    worker.sockets.last.deaf = false;
    await worker.clock.advance(5000);
    expect(worker.shown.connection?.state).toBe('live');
  });

  it('is stale 10 s after the last message, and live with the next', async () => {
    const worker = await watching();
    expect(worker.shown.connection?.state).toBe('live');
    worker.sockets.last.deaf = true;
    await worker.clock.advance(9800);
    expect(worker.shown.connection?.state).toBe('live');
    await worker.clock.advance(300);
    expect(worker.shown.connection?.state).toBe('stale');
    worker.sockets.last.deaf = false;
    await worker.clock.advance(5000);
    expect(worker.shown.connection?.state).toBe('live');
  });

  it('is stale, not connecting, while attempts fail for more than 10 s', async () => {
    const worker = await watching();
    worker.sockets.reachable = false;
    worker.sockets.last.drop();
    await worker.clock.advance(100);
    expect(worker.shown.connection?.state).toBe('connecting');
    await worker.clock.advance(10_000);
    expect(worker.shown.connection?.state).toBe('stale');
  });

  it('is offline when the page reports it', async () => {
    const worker = await watching();
    worker.sockets.last.deaf = true;
    worker.sockets.reachable = false;
    expect(worker.workerApi.row('EURUSD')?.stale).toBe(false);
    worker.workerApi.setOnline(false);
    await worker.clock.advance(100);
    expect(worker.shown.connection?.state).toBe('offline');
    expect(worker.workerApi.row('EURUSD')?.stale).toBe(true);
    await worker.clock.advance(60_000);
    expect(worker.shown.connection?.state).toBe('offline');
    worker.sockets.reachable = true;
    worker.workerApi.setOnline(true);
    await worker.clock.advance(700);
    expect(worker.shown.connection?.state).toBe('live');
    expect(worker.sockets.all.length).toBeGreaterThan(1);
  });

  it('works after the clock is set back', async () => {
    const worker = await watching();
    worker.clock.sleep(-3_600_000);
    worker.sockets.last.deaf = true;
    await worker.clock.advance(3_600_000 + 25_000);
    expect(worker.sockets.all.length).toBeGreaterThan(1);
  });

  it("has the market's clock from pongs", async () => {
    const worker = createTestWorker(ROWS);
    worker.sockets.onSent = (message, socket) => {
      if (message.type === 'ping')
        socket.receive({ type: 'pong', now: worker.clock.now() - 90_000 });
    };
    worker.start();
    await worker.clock.advance(100);
    expect(worker.shown.connection?.marketOffset).toBe(-90_000);
    await worker.clock.advance(600_000);
    // A steady clock is reported once.
    expect(worker.shown.frames.filter(({ connection }) => connection).length).toBeLessThanOrEqual(
      4,
    );
  });
});

describe('stale quotes', () => {
  it('are all those of an unproven connection until it is proven', async () => {
    const worker = await watching();
    expect(stale(worker)).toEqual([false, false]);
    worker.sockets.last.deaf = true;
    await worker.clock.advance(10_100);
    expect(stale(worker)).toEqual([true, true]);
    worker.sockets.last.deaf = false;
    await worker.clock.advance(5000);
    expect(stale(worker)).toEqual([false, false]);
  });

  it('do not include a quiet instrument on a live connection', async () => {
    const worker = await watching();
    await worker.clock.advance(3_600_000);
    expect(stale(worker)).toEqual([false, false]);
    const { rows } = worker.workerApi.rows(
      { sort: 'default', descending: false, favourites: [] },
      0,
      2,
    );
    expect(rows.map((row) => row.stale)).toEqual([false, false]);
  });

  it('do not include a closed market', async () => {
    const rows = [instrumentRow(1, 'EURUSD', { MarketStatus: 0 }), instrumentRow(2, 'NZDUSD')];
    const worker = await watching(rows);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.1', { MarketStatus: 0 })));
    worker.sockets.last.deaf = true;
    await worker.clock.advance(12_000);
    expect(stale(worker)).toEqual([false, true]);
  });

  it('are all after a reconnect, each until its tick or the list refreshes it', async () => {
    const worker = await watching();
    const list = held();
    worker.server.on(LIST, list.route);
    worker.sockets.onSent = undefined;
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(worker.shown.connection?.state).toBe('live');
    expect(stale(worker)).toEqual([true, true]);
    worker.sockets.last.receive(ticks(tickRow(2, 'NZDUSD', '1.3')));
    await worker.clock.advance(100);
    expect(stale(worker)).toEqual([true, false]);
    list.release({ data: ROWS });
    await worker.clock.advance(100);
    expect(stale(worker)).toEqual([false, false]);
  });

  it('are refreshed by a later list when the first one fails', async () => {
    const worker = await watching();
    worker.sockets.onSent = undefined;
    worker.server.on(LIST, () => ({ fault: 'ERR_NETWORK' }));
    worker.sockets.last.drop();
    await worker.clock.advance(3000);
    expect(stale(worker)).toEqual([true, true]);
    worker.server.on(LIST, () => ({ data: ROWS }));
    await worker.clock.advance(20_000);
    expect(stale(worker)).toEqual([false, false]);
    expect(worker.shown.events).toEqual([]);
  });

  it('are not refreshed by a list requested before the connection was lost', async () => {
    const worker = await watching();
    const before = held();
    const after = held();
    worker.server.on(LIST, before.route);
    worker.sockets.onSent = undefined;
    void worker.workerApi.refreshList();
    await worker.clock.advance(0);
    expect(before.waiting()).toBe(1);
    worker.server.on(LIST, after.route);
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    before.release({ data: ROWS });
    await worker.clock.advance(100);
    expect(stale(worker)).toEqual([true, true]);
    after.release({ data: ROWS });
    await worker.clock.advance(100);
    expect(stale(worker)).toEqual([false, false]);
  });

  it('are refreshed by the list if the server sends no present state', async () => {
    const worker = createTestWorker(ROWS);
    worker.start();
    await worker.clock.advance(100);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(2000);
    expect(worker.server.to(LIST)).toHaveLength(2);
    await worker.clock.advance(600_000);
    expect(worker.server.to(LIST)).toHaveLength(2);
    expect(worker.shown.quotes.get(1)?.stale).toBe(false);
  });
});

describe('the order of ticks', () => {
  it('drops a tick older than the newest of its code, applies one of equal time', async () => {
    const worker = await watching();
    const send = (close: string, Time: number) =>
      worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', close, { Time })));
    send('1.5', 5000);
    send('1.4', 4999);
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.5, time: 5000 });
    send('1.6', 5000);
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.6, time: 5000 });
    worker.sockets.last.receive(ticks(tickRow(2, 'NZDUSD', '1.7', { Time: 3 })));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(2)?.close).toBe(1.7);
  });

  it('holds over a reconnect, and against an older list', async () => {
    const row = instrumentRow(1, 'EURUSD');
    row.ForexQuotations = { Open: '1', Close: '1.2', Change: '0', Time: 4000 };
    const worker = await watching([row]);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.5', { Time: 5000 })));
    worker.sockets.onSent = undefined;
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.4', { Time: 4999 })));
    await worker.clock.advance(1000);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.5, time: 5000 });
  });

  it('starts again when the market was set back', async () => {
    const at = (Close: string, Time: number) => [
      instrumentRow(1, 'EURUSD', { ForexQuotations: { Open: '1', Close, Change: '0', Time } }),
    ];
    const worker = await watching(at('1.5', 1_700_000_000_000));
    worker.server.on(LIST, () => ({ data: at('1.2', 1_400_000_000_000) }));
    worker.sockets.onSent = undefined;
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.2);
    worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', '1.3', { Time: 1_400_000_001_000 })));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.3);
  });
});

describe('after a reconnect', () => {
  it('logs in, then subscribes, then fetches', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'secret');
    const worker = await watching(ROWS, { storage });
    worker.workerApi.watch({ candles: { add: [{ instrumentId: 1, period: '1min' }], remove: [] } });
    await worker.clock.advance(100);
    const order: string[] = [];
    worker.sockets.onSent = (message) =>
      order.push('topic' in message ? `${message.type} ${message.topic}` : message.type);
    for (const path of [LIST, '/v1/api/forex/kline'])
      worker.server.on(path, () => {
        order.push(path);
        return { data: [] };
      });
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(order.slice(0, 5)).toEqual([
      'login',
      'sub FOREX_TRADE',
      'sub FOREX_CLOSED',
      'sub DAY_MARKET',
      'sub KLINE.EURUSD',
    ]);
    expect(order.slice(5)).toEqual(expect.arrayContaining([LIST, '/v1/api/forex/kline']));
    expect(worker.sockets.last.asked[0]).toEqual({ type: 'login', token: 'secret' });
    expect(worker.server.asked.at(-1)?.headers['authorization']).toBe('secret');
  });

  it('a visitor does not log in', async () => {
    const worker = await watching();
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(worker.sockets.last.asked.map(({ type }) => type)).not.toContain('login');
  });

  it('a token that the socket refuses is dropped without leading to the login', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'old');
    const worker = createTestWorker(ROWS, { storage });
    worker.sockets.onSent = (message, socket) => {
      if (message.type === 'login') socket.receive({ type: 'login', code: 999 });
    };
    worker.start();
    await worker.clock.advance(1000);
    expect(worker.shown.events).toEqual([{ type: 'signed-out', initial: true }]);
    expect(storage.values.has('token')).toBe(false);
    expect(worker.sockets.all).toHaveLength(1);
  });
});

describe('an outage', () => {
  it('is over for the user within 1.5 s (p95) of its end', async () => {
    let seed = 42;
    const random = () => {
      seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
      return seed / 4_294_967_296;
    };
    const worker = await watching(ROWS, { random });
    worker.sockets.onSent = undefined;
    const times: number[] = [];
    for (let outage = 0; outage < 300; outage++) {
      worker.sockets.refused = true;
      worker.sockets.last.drop();
      await worker.clock.advance(100 + random() * 55_000);
      worker.sockets.refused = false;
      const back = worker.clock.now();
      while (worker.shown.connection?.state !== 'live' || stale(worker).includes(true))
        await worker.clock.advance(25);
      times.push(worker.clock.now() - back);
      await worker.clock.advance(5000);
    }
    times.sort((a, b) => a - b);
    expect(times[Math.floor(times.length * 0.95)]).toBeLessThanOrEqual(1500);
  });
});

it.each([20, 60, 600, 606])(
  'after %i s in which nothing comes and nothing fails, the page has said so, and is live within 6 s by itself',
  async (seconds) => {
    const worker = await watching();
    const { clock, server, sockets, shown } = worker;
    sockets.reachable = false;
    sockets.last.deaf = true;
    const answers = new Map(server.routes);
    for (const path of answers.keys()) server.on(path, () => new Promise(() => {}));
    await clock.advance(10_100);
    expect(shown.connection?.state).toBe('stale');
    expect(stale(worker)).toEqual([true, true]);
    await clock.advance(seconds * 1000 - 10_100);
    for (const [path, answer] of answers) server.on(path, answer);
    sockets.reachable = true;
    await clock.advance(6000);
    expect(shown.connection?.state).toBe('live');
    expect(stale(worker)).toEqual([false, false]);
  },
);

describe('after ten minutes without a network', () => {
  async function lost() {
    const worker = await watching();
    const list = worker.server.routes.get(LIST);
    worker.server.on(LIST, () => ({ fault: 'ERR_NETWORK' }));
    worker.sockets.refused = true;
    worker.sockets.last.drop();
    await worker.clock.advance(600_000);
    expect(worker.shown.connection?.state).toBe('stale');
    worker.sockets.refused = false;
    return { ...worker, healed: () => list && worker.server.on(LIST, list) };
  }

  it.each<[string, (worker: Awaited<ReturnType<typeof lost>>) => void]>([
    ['the user touches the page or navigates', ({ workerApi }) => workerApi.retryNow()],
    [
      'the page is shown',
      ({ workerApi }) => {
        workerApi.setVisible(false);
        workerApi.setVisible(true);
      },
    ],
    ['the browser reports a network', ({ workerApi }) => workerApi.setOnline(true)],
  ])('it connects at once when %s', async (_, cause) => {
    const worker = await lost();
    worker.healed();
    cause(worker);
    await worker.clock.advance(100);
    expect(worker.shown.connection?.state).toBe('live');
  });

  it('connects with the first call that is answered', async () => {
    const worker = await lost();
    worker.healed();
    await worker.clock.advance(3100);
    expect(worker.shown.connection?.state).toBe('live');
    expect(stale(worker)).toEqual([false, false]);
  });

  it('tries again soon where the network is not there yet', async () => {
    const { workerApi, sockets, clock, shown, healed } = await lost();
    sockets.refused = true;
    workerApi.setOnline(true);
    await clock.advance(100);
    healed();
    sockets.refused = false;
    await clock.advance(400);
    expect(shown.connection?.state).toBe('live');
  });
});

describe('resuming', () => {
  it('replaces a silent socket when a hidden page becomes visible', async () => {
    const worker = await watching();
    worker.workerApi.setVisible(false);
    worker.sockets.last.deaf = true;
    await worker.clock.advance(11_000);
    worker.workerApi.setVisible(true);
    await worker.clock.advance(3100);
    expect(worker.sockets.all).toHaveLength(2);
    expect(worker.shown.connection?.state).toBe('live');
  });

  it('does not take messages from before a sleep as proof of a live connection', async () => {
    const worker = await watching();
    const { last } = worker.sockets;
    last.pong = undefined;
    worker.clock.sleep(40_000);
    for (let i = 0; i < 10; i++) {
      last.receive(ticks(tickRow(1, 'EURUSD', `1.${i}`), tickRow(2, 'NZDUSD', `1.${i}`)));
      await worker.clock.advance(30);
      expect(worker.shown.connection?.state).toBe('stale');
      expect(stale(worker)).toEqual([true, true]);
    }
    await worker.clock.advance(3000);
    expect(worker.sockets.all).toHaveLength(2);
    expect(worker.shown.connection?.state).toBe('live');
    expect(stale(worker)).toEqual([false, false]);
  });

  it('keeps a socket that answers late after a sleep', async () => {
    const worker = await watching();
    const { last } = worker.sockets;
    last.pong = undefined;
    worker.clock.sleep(40_000);
    last.receive(ticks(tickRow(1, 'EURUSD', '1.5'), tickRow(2, 'NZDUSD', '1.5')));
    await worker.clock.advance(2500);
    last.receive({ type: 'pong' });
    await worker.clock.advance(100);
    expect(worker.shown.connection?.state).toBe('live');
    expect(stale(worker)).toEqual([false, false]);
    last.pong = { type: 'pong' };
    await worker.clock.advance(3000);
    expect(worker.sockets.all).toHaveLength(1);
  });

  it('does not use a list that was requested before a sleep as proof of fresh quotes', async () => {
    const worker = await watching();
    const list = held();
    worker.server.on(LIST, list.route);
    void worker.workerApi.refreshList();
    await worker.clock.advance(10);
    worker.sockets.last.pong = undefined;
    worker.clock.sleep(40_000);
    await worker.clock.advance(0);
    list.release({ data: ROWS });
    await worker.clock.advance(100);
    expect(worker.shown.connection?.state).toBe('stale');
    expect(stale(worker)).toEqual([true, true]);
  });

  it('keeps a healthy socket, and its rows fresh', async () => {
    const worker = await watching();
    worker.workerApi.setVisible(false);
    await worker.clock.advance(3_600_000);
    const { pings } = worker.sockets.last;
    worker.workerApi.setVisible(true);
    worker.workerApi.retryNow();
    await worker.clock.advance(1000);
    expect(worker.sockets.all).toHaveLength(1);
    expect(worker.sockets.last.pings - pings).toBeLessThanOrEqual(1);
    expect(stale(worker)).toEqual([false, false]);
  });

  it('draws nothing while hidden, and the latest state afterwards', async () => {
    const worker = await watching();
    worker.workerApi.setVisible(false);
    const before = worker.shown.frames.length;
    for (let i = 1; i <= 20; i++) {
      worker.sockets.last.receive(ticks(tickRow(1, 'EURUSD', `${i}`)));
      await worker.clock.advance(100);
    }
    expect(worker.shown.frames.length).toBe(before);
    worker.workerApi.setVisible(true);
    await worker.clock.advance(100);
    expect(worker.shown.frames.length).toBe(before + 1);
    expect(worker.shown.quotes.get(1)?.close).toBe(20);
  });
});
