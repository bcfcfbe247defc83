import { SMA } from 'trading-signals';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import {
  INDICATORS,
  type IndicatorSpec,
  indicatorKey,
  usualIndicator,
} from '#domain/indicators/catalogue';
import { createIndicator } from '#domain/indicators/indicator';
import type { Candles, CandlesKey } from '#domain/market/candles';
import { buffersOf } from '../../../workers/frames/frames';
import { PageChart } from '../support/pageChart';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';

const KLINE = '/v1/api/forex/kline';
const MINUTE: CandlesKey = { instrumentId: 1, period: '1min' };
const HOUR: CandlesKey = { instrumentId: 1, period: '60min' };
/** Midnight. */
const DAY = 1_700_006_400;
const SMA5: IndicatorSpec = { kind: 'sma', parameters: [5] };
const ALL: IndicatorSpec[] = [SMA5, usualIndicator('ema'), usualIndicator('macd')];

function row(minute: number, close = 10 + (Math.abs(minute) % 7), volume = 5): KlineRow {
  const price = `${close}`;
  const Time = DAY + minute * 60;
  return { Time, Open: price, High: `${close + 1}`, Low: price, Close: price, Volume: `${volume}` };
}

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => row(from + i));

function serve({ server }: TestWorker, served: KlineRow[]): void {
  server.on(KLINE, ({ params }) => {
    const minutes = params['period'] === '1min';
    const before = Number(params['before'] ?? Number.POSITIVE_INFINITY);
    const known = minutes ? served : served.filter(({ Time }) => Time % 3600 === 0);
    return { data: known.filter(({ Time }) => Time < before).slice(-500) };
  });
}

/** A worker whose server has these one-minute bars, 500 a page. */
async function started(served: KlineRow[]): Promise<TestWorker> {
  const worker = createTestWorker([instrumentRow(1, 'EURUSD')]);
  serve(worker, served);
  worker.start();
  await worker.clock.advance(100);
  return worker;
}

const watch = (worker: TestWorker, ...add: CandlesKey[]) =>
  worker.workerApi.watch({ candles: { add, remove: [] } });
const name = (worker: TestWorker, key: CandlesKey, specs: readonly IndicatorSpec[]) =>
  worker.workerApi.watch({ indicators: { key, specs } });
const live = async (worker: TestWorker, ...data: KlineRow[]) => {
  for (const each of data) worker.sockets.last.receive({ type: 'KLINE.EURUSD', data: each });
  await worker.clock.advance(100);
};

/** Bars and values as a page has them. */
class Page {
  readonly chart = new PageChart();
  readonly values = new Map<string, number[][]>();

  constructor(changes: readonly Candles[]) {
    for (const change of changes) this.apply(change);
  }

  apply(change: Candles): void {
    this.chart.apply(change);
    for (const { key, change: kind, values } of change.indicators ?? []) {
      const width = INDICATORS[key.split(' ')[0] as IndicatorSpec['kind']].lines.length;
      const found: number[][] = [];
      for (let at = 0; at < values.length; at += width)
        found.push([...values.subarray(at, at + width)]);
      const known = kind === 'update' ? (this.values.get(key) ?? []).slice(0, -1) : [];
      this.values.set(key, [...known, ...found]);
    }
  }
}

const pageOf = ({ shown }: TestWorker, key = MINUTE) =>
  new Page(shown.candles.filter(({ period }) => period === key.period));

/** What the indicator has for these bars, from scratch. */
function fromScratch(spec: IndicatorSpec, page: Page, whole = false, { period } = MINUTE) {
  const next = createIndicator(spec, { period, whole });
  return page.chart.bars.map((bar) => [...next(bar, false)]);
}

function expectEqual(worker: TestWorker, specs: readonly IndicatorSpec[], key = MINUTE): void {
  const page = pageOf(worker, key);
  expect(page.chart.bars.length).toBeGreaterThan(0);
  for (const spec of specs)
    expect(page.values.get(indicatorKey(spec))).toEqual(fromScratch(spec, page, false, key));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the indicators of a chart', () => {
  it('come with its bars', async () => {
    const worker = await started(rows(0, 300));
    name(worker, MINUTE, ALL);
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    const [first] = worker.shown.candles;
    expect(first?.indicators?.map(({ key, change }) => [key, change])).toEqual([
      ['sma 5', 'replace'],
      ['ema 20', 'replace'],
      ['macd 12 26 9', 'replace'],
    ]);
    expectEqual(worker, ALL);
    expect(pageOf(worker).values.get('sma 5')?.at(-1)?.[0]).toBeGreaterThan(10);
  });

  it('follow each correction and each new bar, one step a bar', async () => {
    const worker = await started(rows(0, 300));
    watch(worker, MINUTE);
    name(worker, MINUTE, ALL);
    await worker.clock.advance(100);
    const steps = vi.spyOn(SMA.prototype, 'update');
    const before = worker.shown.candles.length;
    await live(worker, row(299, 12, 6));
    await live(worker, row(299, 30, 7));
    expect(steps).toHaveBeenCalledTimes(2);
    await live(worker, row(299, 25, 8), row(300, 11, 1));
    expect(steps).toHaveBeenCalledTimes(4);
    await live(worker, row(300, 19, 2));
    const sent = worker.shown.candles.slice(before).flatMap(({ indicators = [] }) => indicators);
    expect(sent.map(({ change }) => change)).toEqual(Array(12).fill('update'));
    expect(sent.map(({ values }) => values.length)).toEqual([1, 1, 3, 1, 1, 3, 2, 2, 6, 1, 1, 3]);
    expectEqual(worker, ALL);
  });

  it('are computed once of history that is scrolled in', async () => {
    const worker = await started(rows(0, 1200));
    watch(worker, MINUTE);
    name(worker, MINUTE, ALL);
    await worker.clock.advance(100);
    const steps = vi.spyOn(SMA.prototype, 'update');
    void worker.workerApi.loadOlder(MINUTE);
    await worker.clock.advance(100);
    expect(pageOf(worker).chart.bars).toHaveLength(1000);
    expect(steps).toHaveBeenCalledTimes(1000);
    await live(worker, row(1199, 12, 6));
    expect(steps).toHaveBeenCalledTimes(1001);
    expectEqual(worker, ALL);
  });

  it('are right when a bar before the last one changes', async () => {
    const worker = await started(rows(0, 300));
    watch(worker, MINUTE);
    name(worker, MINUTE, ALL);
    await worker.clock.advance(100);
    await live(worker, row(290, 40, 9));
    await live(worker, row(299, 12, 6));
    expect(pageOf(worker).chart.bars.at(-10)?.close).toBe(40);
    expectEqual(worker, ALL);
  });

  it('can be added, changed and removed while the chart is shown', async () => {
    const worker = await started(rows(0, 300));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    expect(worker.shown.candles.at(-1)?.indicators).toBeUndefined();
    name(worker, MINUTE, [SMA5]);
    await worker.clock.advance(100);
    expectEqual(worker, [SMA5]);
    name(worker, MINUTE, [usualIndicator('rsi')]);
    await worker.clock.advance(100);
    expect(worker.shown.candles.at(-1)?.indicators?.map(({ key }) => key)).toEqual(['rsi 14']);
    expectEqual(worker, [usualIndicator('rsi')]);
    name(worker, MINUTE, []);
    await live(worker, row(299, 12, 6));
    expect(worker.shown.candles.at(-1)?.indicators).toBeUndefined();
  });

  it('of folded bars follow their minutes', async () => {
    const worker = await started(rows(0, 1200));
    watch(worker, HOUR);
    name(worker, HOUR, [SMA5]);
    await worker.clock.advance(100);
    await live(worker, row(1199, 12, 6), row(1200, 40, 2));
    await live(worker, row(1201, 50, 2));
    expect(pageOf(worker, HOUR).chart.bars.at(-1)?.close).toBe(50);
    expectEqual(worker, [SMA5], HOUR);
  });

  it('are there again after a lost connection, with the bars that were missed', async () => {
    const served = rows(0, 300);
    const worker = await started(served);
    watch(worker, MINUTE);
    name(worker, MINUTE, ALL);
    await worker.clock.advance(100);
    served.push(...rows(300, 310));
    worker.sockets.last.drop();
    await worker.clock.advance(10_000);
    expect(pageOf(worker).chart.bars).toHaveLength(310);
    expectEqual(worker, ALL);
  });

  it('travel without being copied', () => {
    const change = (length: number) => new Float64Array(length);
    const indicators = [{ key: 'sma 5', change: 'update' as const, values: change(3) }];
    const candles: Candles = {
      ...MINUTE,
      change: 'update',
      bars: change(6),
      more: true,
      indicators,
    };
    expect(buffersOf({ candles: [candles] }).map(({ byteLength }) => byteLength)).toEqual([48, 24]);
  });
});

describe('an indicator of sessions', () => {
  const VWAP = usualIndicator('vwap');
  const PIVOTS = usualIndicator('pivots');
  const lastOf = (worker: TestWorker, spec: IndicatorSpec) =>
    pageOf(worker).values.get(indicatorKey(spec))?.at(-1)?.[0];

  it('loads the bars of the present session', async () => {
    const worker = await started(rows(-3000, 1200));
    watch(worker, MINUTE);
    name(worker, MINUTE, [VWAP]);
    await worker.clock.advance(1000);
    // 1,200 minutes of the day: three pages.
    expect(pageOf(worker).chart.bars).toHaveLength(1500);
    expectEqual(worker, [VWAP]);
    expect(lastOf(worker, VWAP)).toBeGreaterThan(10);
  });

  it('loads the session before it for pivot points', async () => {
    const worker = await started(rows(-3000, 100));
    watch(worker, MINUTE);
    name(worker, MINUTE, [PIVOTS]);
    await worker.clock.advance(1000);
    expect(pageOf(worker).chart.bars).toHaveLength(2000);
    expect(lastOf(worker, PIVOTS)).toBeGreaterThan(10);
  });

  it('asks again for a page that failed', async () => {
    const served = rows(-3000, 1200);
    const worker = await started(served);
    const older = () => worker.server.to(KLINE).filter(({ params }) => params['before']).length;
    worker.server.on(KLINE, ({ params }) =>
      params['before'] ? { status: 503 } : { data: served.slice(-500) },
    );
    name(worker, MINUTE, [VWAP]);
    watch(worker, MINUTE);
    await worker.clock.advance(1000);
    expect([older(), lastOf(worker, VWAP)]).toEqual([1, Number.NaN]);
    // Another attempt meanwhile makes it no second row of them.
    name(worker, MINUTE, [VWAP, SMA5]);
    await worker.clock.advance(2900);
    expect(older()).toBe(2);
    await worker.clock.advance(200);
    expect(older()).toBe(3);
    serve(worker, served);
    await worker.clock.advance(4000);
    expect(older()).toBe(5);
    expectEqual(worker, [VWAP]);
    expect(lastOf(worker, VWAP)).toBeGreaterThan(10);
  });

  it('does not ask again where the chart is left', async () => {
    const served = rows(-3000, 1200);
    const worker = await started(served);
    worker.server.on(KLINE, ({ params }) =>
      params['before'] ? { status: 503 } : { data: served.slice(-500) },
    );
    name(worker, MINUTE, [VWAP]);
    watch(worker, MINUTE);
    await worker.clock.advance(1000);
    const asked = worker.server.to(KLINE).length;
    worker.workerApi.watch({ candles: { add: [], remove: [MINUTE] } });
    await worker.clock.advance(10_000);
    expect(worker.server.to(KLINE)).toHaveLength(asked);
  });

  it('finds the session before a weekend', async () => {
    const worker = await started([...rows(-3 * 1440, -2 * 1440), ...rows(0, 100)]);
    watch(worker, MINUTE);
    name(worker, MINUTE, [PIVOTS]);
    await worker.clock.advance(1000);
    expect(lastOf(worker, PIVOTS)).toBeGreaterThan(10);
  });

  it('takes the first session as it is where the history begins in it', async () => {
    const worker = await started(rows(30, 100));
    watch(worker, MINUTE);
    name(worker, MINUTE, [VWAP, PIVOTS]);
    await worker.clock.advance(1000);
    const page = pageOf(worker);
    expect(page.chart.more).toBe(false);
    expect(page.values.get('vwap')).toEqual(fromScratch(VWAP, page, true));
    expect(page.values.get('vwap')?.[0]?.[0]).toBeGreaterThan(10);
  });
});
