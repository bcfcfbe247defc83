import { expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { type ColumnValueSpec, columnValue, DAY } from '#domain/indicators/columns';
import { createIndicator } from '#domain/indicators/indicator';
import { type Bar, foldBars } from '#domain/market/kline';
import { COLUMN_VALUE_STRIDE, type GridQuery } from '#domain/worker/grid';
import { klineRow } from '../support/klineRow';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';

const KLINE = '/v1/api/forex/kline';
/** Midnight. */
const MIDNIGHT = 1_700_006_400;
const RSI: ColumnValueSpec = { period: '60min', indicator: { kind: 'rsi', parameters: [14] } };
const MACD: ColumnValueSpec = {
  period: '60min',
  indicator: { kind: 'macd', parameters: [12, 26, 9] },
};

function bar(instrumentId: number, minute: number, close?: number, volume = 5): Bar {
  const price = close ?? 100 + instrumentId + 10 * Math.sin((minute * instrumentId) / 97);
  return {
    time: toUnixSeconds(MIDNIGHT + minute * 60),
    open: price,
    high: price + 1,
    low: price - 1,
    close: price,
    volume,
  };
}

/** Four days of hours, up to half past one of the fifth one. */
const MINUTES = Array.from({ length: 91 + 4 * 1440 }, (_, index) => index - 4 * 1440);

/** A worker whose server has bars of `count` instruments. */
async function started(count: number, more: Parameters<typeof createTestWorker>[1] = {}) {
  const rows = Array.from({ length: count }, (_, index) =>
    instrumentRow(index + 1, `I${index + 1}`),
  );
  const worker = createTestWorker(rows, more);
  worker.server.on(KLINE, ({ params }) => {
    const { forex_id: id, period, before = Number.POSITIVE_INFINITY } = params;
    const minutes = MINUTES.map((minute) => bar(Number(id), minute));
    const bars = period === '1min' ? minutes : foldBars(minutes, period as '60min');
    return {
      data: bars
        .filter(({ time }) => time < Number(before))
        .slice(-500)
        .map(klineRow),
    };
  });
  worker.start();
  await worker.clock.advance(500);
  return worker;
}

const watch = (worker: TestWorker, ...add: (readonly [id: number, spec: ColumnValueSpec])[]) =>
  worker.workerApi.watchColumnValues({
    add: add.map(([instrumentId, spec], index) => ({
      id: instrumentId * 10 + index,
      instrumentId,
      spec,
    })),
    remove: [],
  });

/** What the page has, by its number. */
function columnValues({ shown }: TestWorker): Map<number, number[]> {
  const known = new Map<number, number[]>();
  for (const { columnValues: numbers } of shown.frames)
    for (let at = 0; numbers && at < numbers.length; at += COLUMN_VALUE_STRIDE)
      known.set(numbers[at] as number, [...numbers.subarray(at + 1, at + COLUMN_VALUE_STRIDE)]);
  return known;
}

/** The value of a figure, computed of all its bars at once. */
function expected(spec: ColumnValueSpec, minutes: readonly Bar[]): number {
  if (!spec.indicator) throw new Error('no indicator');
  const { period, indicator } = spec;
  const next = createIndicator(indicator, { period, whole: true });
  const bars = foldBars(minutes, period);
  const lines = bars.map((each) => next(each, false)).at(-1) ?? [];
  return columnValue(indicator.kind, bars.at(-1)?.close ?? Number.NaN, lines);
}

const asked = ({ server }: TestWorker) => server.to(KLINE).length;
const subscribed = ({ sockets }: TestWorker) => {
  const topics = new Set<string>();
  for (const message of sockets.last.sent) {
    if (message.type === 'sub' && message.topic.startsWith('KLINE')) topics.add(message.topic);
    if (message.type === 'unsub') topics.delete(message.topic);
  }
  return topics.size;
};

it('comes with the bars, and follows the live ones as if it were computed of all of them', async () => {
  const worker = await started(1);
  watch(worker, [1, RSI], [1, MACD], [1, DAY]);
  await worker.clock.advance(500);
  const minutes = MINUTES.map((minute) => bar(1, minute));
  const [rsi, macd, day] = [10, 11, 12].map((id) => columnValues(worker).get(id) ?? []);
  expect(rsi?.[0]).toBeCloseTo(expected(RSI, minutes), 9);
  expect(macd?.[0]).toBeCloseTo(expected(MACD, minutes), 9);
  expect(rsi?.slice(1)).toEqual([Number.NaN, Number.NaN]);
  const today = foldBars(minutes, '1day').at(-1);
  expect(day).toEqual([today?.low, today?.high, today?.volume]);

  const frames = worker.shown.frames.length;
  const next = [bar(1, 90, 140, 9), bar(1, 91, 150), bar(1, 120, 130)];
  for (const data of next) {
    worker.sockets.last.receive({ type: 'KLINE.I1', data: klineRow(data) });
    await worker.clock.advance(100);
  }
  const all = [...minutes.slice(0, -1), ...next];
  expect(columnValues(worker).get(10)?.[0]).toBeCloseTo(expected(RSI, all), 9);
  expect(columnValues(worker).get(11)?.[0]).toBeCloseTo(expected(MACD, all), 9);
  expect(columnValues(worker).get(12)?.[1]).toBe(151);
  // As numbers, and nothing of the bars themselves.
  const later = worker.shown.frames.slice(frames);
  expect(later.map((frame) => frame.columnValues?.length)).toEqual([12, 12, 12]);
  expect(worker.shown.candles).toEqual([]);
});

it('has the bars that were missed while the page was in the background', async () => {
  const worker = await started(1);
  watch(worker, [1, RSI]);
  await worker.clock.advance(10_000);
  worker.workerApi.setVisible(false);
  await worker.clock.advance(60_000);
  const minutes = [...MINUTES, 91, 92, 150].map((minute) => bar(1, minute));
  worker.server.on(KLINE, ({ params }) => ({
    data: (params.period === '1min' ? minutes : foldBars(minutes, '60min'))
      .filter(({ time }) => time < Number(params['before'] ?? Number.POSITIVE_INFINITY))
      .slice(-500)
      .map(klineRow),
  }));
  const before = asked(worker);
  worker.workerApi.setVisible(true);
  await worker.clock.advance(1000);
  expect(asked(worker)).toBe(before + 2);
  expect(columnValues(worker).get(10)?.[0]).toBeCloseTo(expected(RSI, minutes), 9);
});

it('is independent of a chart of the same bars', async () => {
  const worker = await started(1);
  const key = { instrumentId: 1, period: '60min' } as const;
  worker.workerApi.watch({ candles: { add: [key], remove: [] } });
  watch(worker, [1, RSI]);
  await worker.clock.advance(500);
  expect(worker.shown.candles.every(({ indicators }) => indicators === undefined)).toBe(true);
  worker.workerApi.watch({ candles: { add: [], remove: [key] } });
  await worker.clock.advance(5000);
  worker.sockets.last.receive({ type: 'KLINE.I1', data: klineRow(bar(1, 91, 150)) });
  await worker.clock.advance(100);
  const minutes = [...MINUTES.map((minute) => bar(1, minute)), bar(1, 91, 150)];
  expect(columnValues(worker).get(10)?.[0]).toBeCloseTo(expected(RSI, minutes), 9);
});

it('is requested at a pace, what is in sight first, and not at all once it has left', async () => {
  const worker = await started(300);
  const many = Array.from({ length: 200 }, (_, index) => [index + 1, RSI] as const);
  watch(worker, ...many);
  await worker.clock.advance(0);
  // Two requests for each of twenty instruments.
  expect(asked(worker)).toBe(40);
  const first = asked(worker);
  await worker.clock.advance(1000);
  expect(asked(worker) - first).toBeGreaterThan(10);
  expect(asked(worker) - first).toBeLessThanOrEqual(25);
  worker.workerApi.watchColumnValues({
    add: [],
    remove: many.map(([id], index) => id * 10 + index),
  });
  const before = asked(worker);
  await worker.clock.advance(10_000);
  expect(asked(worker)).toBe(before);
  expect(subscribed(worker)).toBe(0);
});

const query = (more: Partial<GridQuery>): GridQuery => ({
  sort: 'default',
  descending: false,
  favourites: [],
  ...more,
});

async function order(worker: TestWorker, asked: Partial<GridQuery>, resort = true) {
  const answer = await worker.workerApi.gridRows('one', query(asked), 0, 1000, resort);
  if (!answer.ok) throw new Error('failed');
  return answer.data.rows.map(({ instrument }) => instrument.id);
}

it('sorts a grid by all of its instruments, which it loads for that, until the grid is left', async () => {
  const worker = await started(40);
  const by: Partial<GridQuery> = { sort: 'rsi', descending: true, columnValue: RSI };
  expect(await order(worker, by)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  await worker.clock.advance(5000);
  const value = (id: number) =>
    expected(
      RSI,
      MINUTES.map((minute) => bar(id, minute)),
    );
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(await order(worker, by)).toEqual(ids.toSorted((a, b) => value(b) - value(a)));
  expect(subscribed(worker)).toBe(40);
  const known = await worker.workerApi.columnValues([7], [RSI, MACD]);
  expect(known.ok && [...known.data]).toEqual([
    expect.closeTo(value(7), 9),
    ...Array.from({ length: 5 }, () => Number.NaN),
  ]);
  // Nothing of it is sent to the page, which shows none of these.
  expect(columnValues(worker).size).toBe(0);

  // A filter leaves fewer.
  await order(worker, { ...by, only: [1, 2, 3] });
  await worker.clock.advance(5000);
  expect(subscribed(worker)).toBe(3);
  worker.workerApi.leaveGrid('one');
  await worker.clock.advance(5000);
  expect(subscribed(worker)).toBe(0);
});

it('is loaded again at the same pace after a reconnect', async () => {
  const worker = await started(100);
  const by: Partial<GridQuery> = { sort: 'volume', descending: true };
  await order(worker, by);
  await worker.clock.advance(60_000);
  await order(worker, by);
  const before = asked(worker);
  worker.sockets.last.drop();
  await worker.clock.advance(3000);
  expect(asked(worker)).toBeGreaterThan(before);
  expect(asked(worker) - before).toBeLessThanOrEqual(40 + 3 * 25);
  await worker.clock.advance(60_000);
  // Each at least once more: minutes and days.
  expect(asked(worker) - before).toBeGreaterThanOrEqual(200);
  worker.sockets.last.receive({ type: 'KLINE.I9', data: klineRow(bar(9, 91, 100, 1e6)) });
  await worker.clock.advance(100);
  expect((await order(worker, by))[0]).toBe(9);
});

it('is not kept for a start without a network, whose place is that of charts', async () => {
  const worker = await started(2);
  watch(worker, [1, DAY]);
  await worker.clock.advance(1000);
  worker.workerApi.setVisible(false);
  await worker.clock.advance(1000);
  expect([...worker.storage.values.keys()].filter((key) => key.startsWith('bars'))).toEqual([]);
});
