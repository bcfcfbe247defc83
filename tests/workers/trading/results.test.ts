import { expect, test } from 'vitest';
import { allUntil, type Period } from '#domain/core/calendar';
import { add, subtract, toDecimal, toFixed, toText } from '#domain/core/decimal';
import { type DurationMs, timeBefore, toDurationMs, toUnixMs } from '#domain/core/time';
import { toLots, toUsd } from '#domain/core/units';
import { statementBalance } from '#domain/wallet/statement';
import type { Results } from '#domain/worker/trading';
import { FakeClock } from '../support/fakeClock';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'BTCUSD')];
const RECORDS = '/v1/api/main/accountLog/forexChange';
const DEAL = '/v1/api/forex/my_deal';
const BEGUN = Date.UTC(2026, 0, 5, 12);
const HOUR = toDurationMs(3_600_000);

interface Row {
  Id: number;
  Value: string;
  Type: number;
  MemoTran: string;
  CreatedAtTran: string;
}

/** A worker of a user whose balance began with 100,000 USD, and a server that pages records by 20, or by more where `largest` is. */
async function begun(records: Partial<Row>[] = [], largest = 20, clock = new FakeClock()) {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage, clock });
  const server = new TestServer(worker, ROWS);
  const rows: Row[] = [];
  const book = (row: Partial<Row>) =>
    rows.unshift({
      Id: rows.length + 1,
      Value: '0',
      Type: 2,
      MemoTran: '',
      CreatedAtTran: new Date(BEGUN).toISOString(),
      ...row,
    });
  book({ Type: 1, Value: '100000', CreatedAtTran: new Date(BEGUN - HOUR).toISOString() });
  for (const row of records) book(row);
  worker.server.on(RECORDS, ({ params }) => {
    const size = Math.min(Number(params['limit'] ?? 20), largest);
    const from = (Number(params['page']) - 1) * size;
    return { data: { list: rows.slice(from, from + size), total: rows.length } };
  });
  worker.start();
  await worker.clock.advance(1000);
  const open = (lots = '0.1', forex_id = '1') => server.open({ forex_id, status: '1', cont: lots });
  const all: Period = allUntil(worker.clock.now());
  return { worker, server, book, open, all, workerApi: worker.workerApi };
}

const data = <T>(result: { ok: true; data: T } | { ok: false; failure: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.data;
};
const before = (length: number) => timeBefore(toUnixMs(BEGUN), length as DurationMs);

test('a statement adds up to the available balance, with open orders, nights and a partial close', async () => {
  const { server, open, all, workerApi, book } = await begun();
  const { Id: held } = open('0.3');
  server.night(held, '-0.35');
  book({ Type: 19, Value: '-0.35' });
  open('0.2', '2');
  server.open({ forex_id: '1', status: '0', cont: '0.1', target_price: '1.05' });
  server.prices.set(1, '1.10123');
  server.part(held, toLots('0.1'));
  const { Id: lost } = open('0.1');
  server.prices.set(1, '1.09');
  server.end(lost, 'stop_loss');
  const cancelled = server.open({ forex_id: '1', status: '0', cont: '0.1', target_price: '1.01' });
  server.end(cancelled.Id, 'cancelled');
  book({ Type: 99, Value: '0', MemoTran: 'Something new' });

  const { statement, parts, complete } = data(await workerApi.statement(all));
  expect(complete).toBe(true);
  if (!statement || !parts) throw new Error('no statement');
  expect(statement.trades.map(({ closeReason }) => closeReason)).toEqual(['user', 'stop_loss']);
  expect(toText(statement.opening)).toBe('0');
  expect(toText(statement.moved.deposits)).toBe('100000');
  expect(toText(statement.closing)).toBe(toText(statementBalance(parts)));
  const { balance, caution_money } = server.detail();
  expect(toFixed(subtract(parts.balance, toUsd(caution_money)), 6)).toBe(balance);
});

test('only what a period needs is fetched, and what is known is kept', async () => {
  const records = Array.from({ length: 100 }, (_, i) => ({
    CreatedAtTran: new Date(before(HOUR - i * 1000)).toISOString(),
  }));
  const { worker, workerApi, open, server } = await begun(records);
  for (let i = 0; i < 3; i++) server.end(open().Id, 'user');
  const recent = { from: before(30_000), until: allUntil(worker.clock.now()).until };
  const pages = () => worker.server.to(RECORDS).map(({ params }) => Number(params['page']));

  expect(data(await workerApi.results(recent))).toMatchObject({
    complete: true,
    totals: { orders: 3 },
  });
  expect(pages().every((page) => page === 1)).toBe(true);
  const early = { ...recent, from: before(HOUR) };
  expect(data(await workerApi.results(early)).complete).toBe(true);
  const asked = pages().length;
  expect(Math.max(...pages())).toBe(6);
  await workerApi.results(early);
  expect(
    pages()
      .slice(asked)
      .every((page) => page === 1),
  ).toBe(true);
});

test('the texts of records are those of the language that is chosen meanwhile', async () => {
  const { worker, workerApi, book, all } = await begun();
  book({ Type: 99 });
  const route = worker.server.routes.get(RECORDS);
  worker.server.on(RECORDS, (asked) => {
    const { data } = (route?.(asked) ?? {}) as { data: { list: Row[] } };
    const list = data.list.map((row) => ({ ...row, MemoTran: `Text ${asked.headers['lang']}` }));
    return { data: { ...data, list } };
  });
  const texts = async () =>
    data(await workerApi.statement(all)).statement?.movements.map(({ text }) => text);
  expect(await texts()).toEqual(['Text en', 'Text en']);
  workerApi.setLanguage('de');
  expect(await texts()).toEqual(['Text de', 'Text de']);
});

test('a long history shows its results before it is complete', async () => {
  const { workerApi, worker, server, open, all } = await begun(
    Array.from({ length: 900 }, () => ({})),
  );
  server.end(open().Id, 'user');
  const steps: Results[] = [];
  do steps.push(data(await workerApi.results(all)));
  while (!steps.at(-1)?.complete);
  expect(steps.length).toBe(3);
  expect(steps[0]).toMatchObject({ complete: false, totals: { orders: 1 }, balance: undefined });
  expect(steps.at(-1)?.balance?.curve.at(-1)?.balance).toBe(Number(server.detail().balance));
  expect(worker.server.to(RECORDS).length).toBeLessThan(60);
});

test.each([
  [500, 6],
  [100, 21],
  [20, 96],
])(
  'all of 1,801 records, from a server whose pages have up to %i, take %i requests',
  async (largest, most) => {
    const records = Array.from({ length: 1800 }, () => ({ Type: 11, Value: '1' }));
    const { workerApi, worker, server, all } = await begun(records, largest);
    server.balance = toDecimal('101800');
    let known = data(await workerApi.statement(all));
    while (!known.complete) known = data(await workerApi.statement(all));
    expect(worker.server.to(RECORDS).length).toBe(most);
    expect(known.statement?.movements.length).toBe(1801);
    expect(toText(known.statement?.opening ?? toLots(1))).toBe('0');
  },
);

test.each([
  ['although the date of this device is two days ahead', 48 * HOUR, 0, 1],
  ['unless the market replays a recording', 0, 48 * HOUR, 0],
])('deposits are movements, %s', async (_, ahead, behind, deposits) => {
  const clock = new FakeClock();
  clock.set(ahead);
  const { worker, workerApi, all } = await begun([], 20, clock);
  worker.sockets.last.pong = { type: 'pong', now: clock.steady - behind };
  await clock.advance(6000);
  expect(worker.shown.connection?.recorded).toBe(behind > 0);
  const { statement } = data(await workerApi.statement(all));
  expect(statement?.movements.map(({ kind }) => kind)).toEqual(Array(deposits).fill('deposits'));
});

test('an order that closes while the balances are read is not missing from them', async () => {
  const { worker, workerApi, server, open, all } = await begun();
  const { Id } = open();
  await worker.clock.advance(1000);
  const works = worker.server.routes.get(DEAL);
  let ended = false;
  worker.server.on(DEAL, (asked) => {
    if (!ended && asked.params['status'] === '3') {
      const answer = works?.(asked) ?? { fault: 'ERR_NETWORK' };
      ended = true;
      server.end(Id, 'user');
      return answer;
    }
    return works?.(asked) ?? { fault: 'ERR_NETWORK' };
  });
  const found = data(await workerApi.results(all));
  expect(found.totals.orders).toBe(1);
  expect(toText(found.balance?.opening ?? toLots(1))).toBe('0');
});

test.each([500, 20])(
  'a record that comes after the balances were read waits for the next ones, with pages of %i',
  async (largest) => {
    const { worker, workerApi, server, book, all } = await begun(
      Array.from({ length: 60 }, () => ({ Type: 11, Value: '1' })),
      largest,
    );
    server.balance = toDecimal('100060');
    const route = worker.server.routes.get(RECORDS);
    let isBooked = false;
    worker.server.on(RECORDS, (asked) => {
      if (!isBooked && asked.params['limit'] !== undefined) {
        isBooked = true;
        book({ Type: 11, Value: '100' });
        server.balance = toDecimal('100160');
      }
      return route?.(asked) ?? { fault: 'ERR_NETWORK' };
    });
    for (const [movements, closing] of [
      [61, '100060'],
      [62, '100160'],
    ] as const) {
      const { complete, statement } = data(await workerApi.statement(all));
      expect(complete).toBe(true);
      expect(statement?.movements.length).toBe(movements);
      expect(toText(statement?.closing ?? toLots(1))).toBe(closing);
      expect(toText(statement?.opening ?? toLots(1))).toBe('0');
    }
  },
);

test('the history can be limited to a period', async () => {
  const { worker, workerApi, server, open } = await begun();
  const since = worker.clock.steady;
  for (let i = 0; i < 4; i++) server.end(open().Id, 'user');
  // The test server ends them one millisecond after the other.
  const period = { from: toUnixMs(since + 2), until: toUnixMs(since + 4) };
  const window = data(await workerApi.orders('closed', 0, 1, undefined, period));
  expect(window).toMatchObject({ total: 2, profit: '-1.000000', fees: '1' });
  expect(window.orders.map(({ id }) => id)).toEqual([3]);
  const sorted = data(
    await workerApi.orders('closed', 0, 9, { column: 'createdAt', descending: false }, period),
  );
  expect(sorted.orders).toHaveLength(2);
});

test('the history, whole or of a period, comes to what the results say, net of fees and swap', async () => {
  const { worker, workerApi, server, open, all } = await begun();
  for (const exit of ['1.1001', '1.0997', '1.10005']) {
    server.prices.set(1, '1.1');
    const { Id } = open();
    server.night(Id, '-1.25');
    server.prices.set(1, exit);
    server.end(Id, 'user');
  }
  // Its fee was never paid.
  server.end(
    server.open({ forex_id: '1', status: '0', cont: '0.1', target_price: '1.01' }).Id,
    'cancelled',
  );
  const { totals } = data(await workerApi.results(all));
  expect(totals.orders).toBe(3);
  const whole = data(await workerApi.orders('closed', 0, 1));
  const period = data(await workerApi.orders('closed', 0, 1, undefined, all));
  for (const { profit, fees, swap } of [whole, period]) {
    expect(profit).toBe(toFixed(totals.net, 6));
    expect(toFixed(toDecimal(fees ?? ''), 2)).toBe(toFixed(totals.fees, 2));
    expect(swap).toBe('-3.75');
  }

  // A server that does not tell the fees: the total is before them.
  const route = worker.server.routes.get(DEAL);
  worker.server.on(DEAL, (asked) => {
    const answer = route?.(asked) as { data: object };
    return { data: { ...answer.data, all_trade_fee: undefined } };
  });
  server.end(open().Id, 'user');
  await worker.clock.advance(1000);
  const untold = data(await workerApi.orders('closed', 0, 1));
  expect(untold).toMatchObject({ total: 5, fees: undefined, swap: '-3.75' });
  expect(untold.profit).toBe(toFixed(add(totals.profit, totals.swap), 6));
});

test('a visitor has none', async () => {
  const worker = createTestWorker(ROWS);
  worker.start();
  await worker.clock.advance(1000);
  expect(await worker.workerApi.results(allUntil(worker.clock.now()))).toMatchObject({
    failure: { kind: 'signed-out' },
  });
});
