import { describe, expect, it } from 'vitest';
import type { ClientMessage } from '#domain/api/socket';
import type { Reply } from '../support/scriptedHttp';
import {
  createTestWorker,
  instrumentRow,
  type TestWorker,
  type TestWorkerOptions,
} from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const LIST = '/v1/api/forex/trade_list';
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => instrumentRow(index + 1, `C${index + 1}`));

/** A server that supports quote filters and sends the present state of what is subscribed. */
function supportQuoteFilters({ sockets }: TestWorker): void {
  sockets.onSent = (message, socket) => {
    if (message.type !== 'sub') return;
    const state = (message.codes ?? []).map((code) => tickRow(Number(code.slice(1)), code, '1.1'));
    if (state.length > 0) socket.receive(ticks(...state));
  };
}

async function started(count: number, options: TestWorkerOptions = {}): Promise<TestWorker> {
  const worker = createTestWorker(rows(count), options);
  supportQuoteFilters(worker);
  worker.start();
  await worker.clock.advance(100);
  return worker;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

const codes = (message: ClientMessage | undefined) =>
  message?.type === 'sub' ? message.codes && [...message.codes].sort() : undefined;

describe('a quote filter', () => {
  it('does not happen in a short list', async () => {
    const worker = await started(100);
    worker.workerApi.watch({ instruments: { add: range(1, 20), remove: [] } });
    await worker.clock.advance(10_000);
    expect(worker.sockets.last.asked).toEqual([{ type: 'sub', topic: 'DAY_MARKET' }]);
  });

  it('requests the rows in sight in a long list', async () => {
    const worker = await started(101);
    worker.workerApi.watch({ instruments: { add: [3, 1, 2], remove: [] } });
    await worker.clock.advance(10_000);
    expect(worker.sockets.last.asked).toHaveLength(1);
    expect(codes(worker.sockets.last.asked[0])).toEqual(['C1', 'C2', 'C3']);
  });

  it('with the data saver requests only the rows in sight, at an interval, in a list of any length', async () => {
    const worker = await started(5);
    worker.workerApi.setDataSaver(true);
    worker.workerApi.watch({ instruments: { add: [2], remove: [] } });
    await worker.clock.advance(1000);
    expect(worker.sockets.last.asked).toEqual([
      { type: 'sub', topic: 'DAY_MARKET', codes: ['C2'], interval: 1000 },
    ]);
    worker.workerApi.setDataSaver(false);
    await worker.clock.advance(1000);
    expect(worker.sockets.last.asked.at(-1)).toEqual({ type: 'sub', topic: 'DAY_MARKET' });
  });

  it('in a window of several requests only what it shows, each quote as it comes', async () => {
    const worker = createTestWorker(rows(5));
    supportQuoteFilters(worker);
    worker.start({ narrow: true });
    await worker.clock.advance(100);
    worker.workerApi.watch({ instruments: { add: [4], remove: [] } });
    await worker.clock.advance(10_000);
    expect(worker.sockets.last.asked).toEqual([
      { type: 'sub', topic: 'DAY_MARKET', codes: ['C4'] },
    ]);
  });

  it('in a window of charts requests quotes four times a second, as long as it shows nothing else', async () => {
    const worker = createTestWorker(rows(5));
    supportQuoteFilters(worker);
    worker.start({ narrow: true });
    await worker.clock.advance(100);
    const key = { instrumentId: 4, period: '1min' as const };
    const one = { add: [4], remove: [] };
    worker.workerApi.watch({ instruments: one, candles: { add: [key], remove: [] } });
    await worker.clock.advance(1000);
    const asked = () => worker.sockets.last.asked.filter((each) => codes(each));
    expect(asked()).toEqual([{ type: 'sub', topic: 'DAY_MARKET', codes: ['C4'], interval: 250 }]);
    // A second chart of it, and a row of another one.
    worker.workerApi.watch({ instruments: one, candles: { add: [key], remove: [] } });
    worker.workerApi.watch({ instruments: { add: [2], remove: [] } });
    await worker.clock.advance(1000);
    expect(asked().at(-1)).toEqual({ type: 'sub', topic: 'DAY_MARKET', codes: ['C4', 'C2'] });
    worker.workerApi.watch({ instruments: { add: [], remove: [2] } });
    worker.workerApi.watch({ candles: { add: [], remove: [key] } });
    await worker.clock.advance(10_000);
    expect(asked().at(-1)).toMatchObject({ codes: ['C4'], interval: 250 });
    // The chart ends and its instrument stays, in an order form.
    worker.workerApi.watch({ candles: { add: [], remove: [key] } });
    await worker.clock.advance(1000);
    expect(asked().at(-1)).toEqual({ type: 'sub', topic: 'DAY_MARKET', codes: ['C4'] });
  });

  it('follows a fling at most every quarter of a second, and ends with its last rows', async () => {
    const worker = await started(1000);
    worker.workerApi.watch({ instruments: { add: range(1, 21), remove: [] } });
    await worker.clock.advance(1000);
    const before = worker.sockets.last.asked.length;
    for (let row = 1; row <= 600; row += 10) {
      worker.workerApi.watch({
        instruments: { add: range(row + 20, row + 30), remove: range(row, row + 10) },
      });
      await worker.clock.advance(16);
    }
    const sent = worker.sockets.last.asked.length - before;
    expect(sent).toBeGreaterThan(1);
    expect(sent).toBeLessThanOrEqual(Math.ceil((60 * 16) / 250) + 1);
    await worker.clock.advance(10_000);
    expect(codes(worker.sockets.last.asked.at(-1))).toEqual(range(601, 621).map((id) => `C${id}`));
  });

  it('causes no traffic for a row that leaves and returns within a moment', async () => {
    const worker = await started(200);
    worker.workerApi.watch({ instruments: { add: [1, 2], remove: [] } });
    await worker.clock.advance(1000);
    for (let i = 0; i < 20; i++) {
      worker.workerApi.watch({ instruments: { add: [], remove: [2] } });
      await worker.clock.advance(2000);
      worker.workerApi.watch({ instruments: { add: [2], remove: [] } });
      await worker.clock.advance(500);
    }
    expect(worker.sockets.last.asked).toHaveLength(1);
  });

  it('counts the watchers of a row', async () => {
    const worker = await started(200);
    const both = { add: [1], remove: [] };
    worker.workerApi.watch({ instruments: both });
    worker.workerApi.watch({ instruments: both });
    worker.workerApi.watch({ instruments: { add: [2], remove: [1] } });
    await worker.clock.advance(10_000);
    expect(codes(worker.sockets.last.asked.at(-1))).toEqual(['C1', 'C2']);
    worker.sockets.last.receive(ticks(tickRow(1, 'C1', '9')));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)?.close).toBe(9);
  });

  it('unsubscribes a moment after the last row', async () => {
    const worker = await started(200);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(1000);
    worker.workerApi.watch({ instruments: { add: [], remove: [1] } });
    await worker.clock.advance(10_000);
    expect(worker.sockets.last.asked.map(({ type }) => type)).toEqual(['sub', 'unsub']);
    worker.workerApi.watch({ instruments: { add: [7], remove: [] } });
    await worker.clock.advance(1000);
    expect(codes(worker.sockets.last.asked.at(-1))).toEqual(['C7']);
  });

  it('is repeated after a reconnect', async () => {
    const worker = await started(200);
    worker.workerApi.watch({ instruments: { add: [4, 5], remove: [] } });
    await worker.clock.advance(1000);
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(worker.sockets.all).toHaveLength(2);
    expect(codes(worker.sockets.last.asked[0])).toEqual(['C4', 'C5']);
  });

  it('starts when the list grows long', async () => {
    const worker = await started(50);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(1000);
    worker.server.on(LIST, () => ({ data: rows(150) }));
    await worker.workerApi.refreshList();
    await worker.clock.advance(1000);
    expect(codes(worker.sockets.last.asked.at(-1))).toEqual(['C1']);
  });

  it('waits for the list if rows are watched before it is loaded', async () => {
    const worker = createTestWorker(rows(200));
    worker.start();
    worker.workerApi.watch({ instruments: { add: [9], remove: [] } });
    await worker.clock.advance(1000);
    expect(codes(worker.sockets.last.asked[0])).toEqual(['C9']);
    worker.sockets.last.receive(ticks(tickRow(9, 'C9', '5')));
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(9)?.close).toBe(5);
  });
});

describe('a list that comes before the first connection', () => {
  it('is asked for again once the subscription has arrived: prices may have moved in between', async () => {
    const worker = createTestWorker(rows(2));
    worker.sockets.reachable = false;
    worker.start();
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(3000);
    expect(worker.server.to(LIST)).toHaveLength(1);
    worker.server.on(LIST, () => ({ data: [instrumentRow(1, 'C1', moved)] }));
    worker.sockets.reachable = true;
    await worker.clock.advance(30_000);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.2);
  });
});
const moved = { ForexQuotations: { Open: '1', Close: '1.2', Change: '10', Time: 1 } };

describe('a row that comes into sight', () => {
  it('is fresh once the server sends its state', async () => {
    const worker = await started(200);
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(60_000);
    worker.workerApi.watch({ instruments: { add: [2], remove: [] } });
    await worker.clock.advance(1);
    await worker.clock.advance(400);
    expect(worker.shown.quotes.get(2)?.stale).toBe(false);
    await worker.clock.advance(60_000);
    expect(worker.server.to(LIST)).toHaveLength(1);
  });

  it('is stale until the list, if the server does not send it', async () => {
    const worker = await started(200);
    worker.sockets.onSent = undefined;
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(60_000);
    worker.workerApi.watch({ instruments: { add: [2], remove: [] } });
    await worker.clock.advance(300);
    expect(worker.shown.quotes.get(2)?.stale).toBe(true);
    await worker.clock.advance(10_000);
    expect(worker.shown.quotes.get(2)?.stale).toBe(false);
    const fetched = worker.server.to(LIST).length;
    await worker.clock.advance(600_000);
    expect(worker.server.to(LIST)).toHaveLength(fetched);
  });

  it('is fresh with a server that ignores quote filters', async () => {
    const worker = await started(200);
    const everything = () =>
      worker.sockets.last.receive(
        ticks(...rows(200).map(({ Id, Code }) => tickRow(Id, Code, '1.2'))),
      );
    worker.sockets.onSent = (message) => {
      if (message.type === 'sub') everything();
    };
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(60_000);
    everything();
    worker.workerApi.watch({ instruments: { add: [150], remove: [] } });
    await worker.clock.advance(500);
    expect(worker.shown.quotes.get(150)).toMatchObject({ close: 1.2, stale: false });
    expect(worker.shown.quotes.has(3)).toBe(false);
  });
});

describe('after a reconnect', () => {
  const listed = (price: string) =>
    rows(2).map((row) => ({ ...row, ForexQuotations: { Open: '1', Close: price, Change: '0' } }));

  async function reconnected(worker: TestWorker): Promise<void> {
    worker.workerApi.watch({ instruments: { add: [1], remove: [] } });
    await worker.clock.advance(60_000);
    worker.sockets.last.drop();
    while (worker.sockets.all.length < 2) await worker.clock.advance(100);
  }

  // Found by the simulations with SEED=20263481.
  it('a list that arrives before the subscription does not make quotes fresh', async () => {
    const worker = await started(2);
    await reconnected(worker);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.1);
    // A trade after the list was answered and before the server read the `sub`; no tick since.
    worker.server.on(LIST, () => ({ data: listed('1.2') }));
    await worker.clock.advance(6000);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.2, stale: false });
    const fetched = worker.server.to(LIST).length;
    await worker.clock.advance(600_000);
    expect(worker.server.to(LIST)).toHaveLength(fetched);
  });

  it('a late list, behind which a newer request waited, does not either', async () => {
    const worker = await started(2);
    const late: ((reply: Reply) => void)[] = [];
    await reconnected(worker);
    worker.sockets.last.drop();
    worker.server.on(LIST, () => new Promise((resolve) => late.push(resolve)));
    while (late.length === 0) await worker.clock.advance(100);
    await worker.clock.advance(3000);
    worker.server.on(LIST, () => ({ data: listed('1.2') }));
    for (const answer of late) answer({ data: listed('1.1') });
    await worker.clock.advance(6000);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.2, stale: false });
  });

  // Found by the simulations with SEED=20260977.
  it('quotes do not wait for a list that was requested over an earlier connection', async () => {
    const worker = await started(2);
    await reconnected(worker);
    worker.server.on(LIST, () => new Promise(() => {}));
    void worker.workerApi.refreshList();
    const asked = worker.server.to(LIST).length;
    worker.sockets.last.drop();
    worker.server.on(LIST, () => ({ data: listed('1.2') }));
    while (worker.server.to(LIST).length === asked) await worker.clock.advance(100);
    await worker.clock.advance(1000);
    expect(worker.shown.quotes.get(1)).toMatchObject({ close: 1.2, stale: false });
  });
});
