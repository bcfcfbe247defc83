import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Result, success } from '#domain/core/result';
import type { Candles, CandlesKey } from '#domain/market/candles';
import type { BarList } from '../../../../../src/features/trading/chart/barList';
import type {
  CandleChart,
  CandleChartEvents,
  ChartFormat,
} from '../../../../../src/features/trading/chart/candleChart';
import { chartClock } from '../../../../../src/features/trading/chart/chartClock';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';

const EUR: CandlesKey = { instrumentId: 1, period: '1min' };
const format: ChartFormat = {
  clock: chartClock('1min', 'en'),
  formatPrice: (price) => price.toFixed(5),
  precision: 5,
};

const bar = (minute: number, close: number) => [minute * 60, close, close, close, close, 1];
const frame = (
  change: Candles['change'],
  bars: number[][],
  rest: Partial<Candles> = {},
): Candles => ({ ...EUR, change, bars: Float64Array.from(bars.flat()), more: true, ...rest });

/** A fake canvas that records what it draws. */
function scriptedCanvas() {
  let events: CandleChartEvents | undefined;
  const drawn: number[][] = [];
  const pointed: (number | undefined)[] = [];
  const chart: CandleChart = {
    configure: () => undefined,
    colour: () => undefined,
    draw: (bars: BarList) => drawn.push(bars.all().map(({ close }) => close)),
    lines: () => undefined,
    pan: () => undefined,
    zoom: () => undefined,
    showNewest: () => undefined,
    point: (index) => pointed.push(index),
    reveal: () => undefined,
    series: () => [],
    linePrices: () => [],
    heightOf: () => undefined,
    remove: () => undefined,
  };
  return {
    create: (given: CandleChartEvents) => {
      events = given;
      return chart;
    },
    drawn,
    pointed,
    get events() {
      if (!events) throw new Error('not attached');
      return events;
    },
  };
}

function shown(
  loadOlder: (key: CandlesKey) => Promise<Result<void>> = async () => success(undefined),
) {
  const live = new LiveChart(loadOlder);
  const canvas = scriptedCanvas();
  live.attach(canvas.create);
  live.show(EUR, format);
  return { live, canvas };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('is loading, then shown, in whichever order canvas and bars arrive', () => {
  const live = new LiveChart(async () => success(undefined));
  live.show(EUR, format);
  expect(live.state.value).toEqual({ kind: 'loading' });
  live.receive(frame('replace', [bar(1, 10), bar(2, 11)]));
  expect(live.state.value).toEqual({ kind: 'shown' });
  const canvas = scriptedCanvas();
  live.attach(canvas.create);
  expect(canvas.drawn.at(-1)).toEqual([10, 11]);
});

test('is empty without bars, failed without an answer, and loads again on retry', () => {
  const { live } = shown();
  live.receive(frame('replace', [], { more: false }));
  expect(live.state.value).toEqual({ kind: 'empty' });
  const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;
  live.receive(frame('replace', [], { failure }));
  expect(live.state.value).toEqual({ kind: 'failed', failure });
  live.reloading();
  expect(live.state.value).toEqual({ kind: 'loading' });
  // Of an earlier visit, until there are others.
  live.receive(frame('replace', [bar(1, 10)], { failure, more: false }));
  expect(live.state.value).toEqual({ kind: 'shown', outdated: true });
  live.receive(frame('replace', [bar(2, 10)]));
  expect(live.state.value).toEqual({ kind: 'shown' });
});

test('each frame is drawn immediately', () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(1, 10)]));
  live.receive(frame('update', [bar(1, 11)]));
  live.receive(frame('update', [bar(1, 12), bar(2, 13)]));
  expect(canvas.drawn.slice(-2)).toEqual([[11], [12, 13]]);
});

test('bars of the previous chart are not mixed in', () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(1, 10)]));
  live.show({ ...EUR, period: '5min' }, format);
  expect(live.bars()).toEqual([]);
  live.receive(frame('update', [bar(2, 11)]));
  vi.advanceTimersByTime(1000);
  expect(live.bars()).toEqual([]);
  live.receive({ ...frame('replace', [bar(5, 12)]), period: '5min' });
  expect(canvas.drawn.at(-1)).toEqual([12]);
});

test('the legend shows the bar under the crosshair, otherwise the newest', () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(1, 10), bar(2, 11)]));
  expect(live.legendBar.value?.close).toBe(11);
  canvas.events.onCrosshair(0);
  expect(live.legendBar.value?.close).toBe(10);
  live.receive(frame('prepend', [bar(-1, 8), bar(0, 9)]));
  expect(live.legendBar.value?.close).toBe(10);
  canvas.events.onCrosshair(undefined);
  expect(live.legendBar.value?.close).toBe(11);
});

test('arrow keys move along the bars and stop at both ends', () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(1, 10), bar(2, 11)]));
  expect(live.step(-1)?.close).toBe(11);
  expect(live.step(-1)?.close).toBe(10);
  expect(live.step(-1)?.close).toBe(10);
  expect(live.step(5)?.close).toBe(11);
  expect(live.step(undefined)).toBeUndefined();
  expect(canvas.pointed).toEqual([1, 0, 0, 1, undefined]);
});

test('older bars are requested once at a time, never beyond the first bar, and again after a pause if a request failed', async () => {
  let answer: (result: Result<void>) => void = () => undefined;
  const asked = vi.fn(() => new Promise<Result<void>>((resolve) => (answer = resolve)));
  const { live, canvas } = shown(asked);
  live.receive(frame('replace', [bar(1, 10)]));
  canvas.events.onNearOldest();
  canvas.events.onNearOldest();
  expect(asked).toHaveBeenCalledTimes(1);
  answer({ ok: false, failure: { kind: 'transport', code: '503' } });
  await vi.advanceTimersByTimeAsync(0);
  canvas.events.onNearOldest();
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3000);
  canvas.events.onNearOldest();
  expect(asked).toHaveBeenCalledTimes(2);
  answer(success(undefined));
  await vi.advanceTimersByTimeAsync(0);
  live.receive(frame('prepend', [bar(0, 9)], { more: false }));
  canvas.events.onNearOldest();
  expect(asked).toHaveBeenCalledTimes(2);
});
