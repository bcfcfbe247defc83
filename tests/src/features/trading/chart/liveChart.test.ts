import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Result, success } from '#domain/core/result';
import { toDurationMs, toUnixSeconds } from '#domain/core/time';
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
  const centred: number[] = [];
  const marked: (number | undefined)[] = [];
  const chart: CandleChart = {
    parts: {} as CandleChart['parts'],
    host: document.body,
    setStyle: () => undefined,
    scaleTo: () => undefined,
    repaint: () => undefined,
    centre: (index) => centred.push(index),
    mark: (index) => marked.push(index),
    inSight: () => undefined,
    space: {
      host: document.createElement('div'),
      bars: () => undefined,
      size: () => ({ width: 0, height: 0 }),
      xOf: () => undefined,
      indexAt: () => undefined,
      yOf: () => undefined,
      priceAt: () => undefined,
      hasLineAt: () => false,
      moveLine: () => undefined,
      dropLine: () => undefined,
      attach: () => () => undefined,
      repaint: () => undefined,
    },
    configure: () => undefined,
    colour: () => undefined,
    draw: (bars: BarList) => drawn.push(bars.all().map(({ close }) => close)),
    lines: () => undefined,
    pan: () => undefined,
    zoom: () => undefined,
    showOldest: () => undefined,
    showNewest: () => undefined,
    point: (index) => pointed.push(index),
    reveal: () => undefined,
    series: () => [],
    linePrices: () => [],
    tagBoxes: () => [],
    heightOf: () => undefined,
    timesInSight: () => undefined,
    remove: () => undefined,
  };
  return {
    create: (given: CandleChartEvents) => {
      events = given;
      return chart;
    },
    drawn,
    pointed,
    centred,
    marked,
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

test('points at nothing once its canvas is gone', () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(1, 10), bar(2, 11)]));
  canvas.events.onCrosshair(0);
  expect(live.pointedTime.value).toBe(60);
  live.attach(undefined);
  expect(live.pointedTime.value).toBeUndefined();
  expect(live.legendBar.value?.close).toBe(11);
});

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

test('scrolled back, the legend shows the last bar in sight, and arrow keys begin there', () => {
  const { live, canvas } = shown();
  const legend = () => live.legendBar.value?.close;
  live.receive(frame('replace', [bar(1, 10), bar(2, 11), bar(3, 12)]));
  canvas.events.onLast(1);
  expect([legend(), live.following.value]).toEqual([11, false]);
  live.receive(frame('update', [bar(3, 13), bar(4, 14)]));
  live.receive(frame('prepend', [bar(-1, 8), bar(0, 9)]));
  expect(legend()).toBe(11);
  canvas.events.onCrosshair(2);
  expect(legend()).toBe(10);
  canvas.events.onCrosshair(undefined);
  expect(legend()).toBe(11);
  expect(live.step(-1)?.close).toBe(11);
  expect(live.step(-1)?.close).toBe(10);
  live.step(undefined);
  // Space before the first bar.
  canvas.events.onLast(-3);
  expect(legend()).toBe(8);
  // At the newest bar, which is followed.
  canvas.events.onLast(9);
  expect([legend(), live.following.value]).toEqual([14, true]);
  live.receive(frame('update', [bar(5, 15)]));
  expect(legend()).toBe(15);
  canvas.events.onLast(2);
  live.show({ ...EUR, period: '5min' }, format);
  live.receive({ ...frame('replace', [bar(5, 20), bar(10, 21)]), period: '5min' });
  expect([legend(), live.following.value]).toEqual([21, true]);
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

const failure = { kind: 'transport', code: '503' } as const;

/** A worker whose answers the test gives. */
function asked() {
  let answer: (result: Result<void>) => void = () => undefined;
  const loadOlder = vi.fn(() => new Promise<Result<void>>((resolve) => (answer = resolve)));
  return { loadOlder, answer: (result: Result<void>) => answer(result) };
}

test('older bars are requested once at a time, near the oldest one, never beyond the first bar', async () => {
  const { loadOlder, answer } = asked();
  const { live, canvas } = shown(loadOlder);
  live.receive(frame('replace', [bar(1, 10)]));
  canvas.events.onOldest(false, false);
  expect(loadOlder).toHaveBeenCalledTimes(0);
  canvas.events.onOldest(true, false);
  canvas.events.onOldest(true, false);
  expect(loadOlder).toHaveBeenCalledTimes(1);
  answer(success(undefined));
  await vi.advanceTimersByTimeAsync(0);
  live.receive(frame('prepend', [bar(0, 9)], { more: false }));
  canvas.events.onOldest(true, false);
  expect(loadOlder).toHaveBeenCalledTimes(1);
});

test.each(['before', 'after'])(
  'where a page does not fill the view and comes %s the answer, the next one is requested',
  async (order) => {
    const { loadOlder, answer } = asked();
    const { live, canvas } = shown(loadOlder);
    live.receive(frame('replace', [bar(1, 10)]));
    canvas.events.onOldest(true, true);
    const page = () => live.receive(frame('prepend', [bar(0, 9)]));
    if (order === 'before') page();
    answer(success(undefined));
    await vi.advanceTimersByTimeAsync(0);
    if (order === 'after') page();
    expect(loadOlder).toHaveBeenCalledTimes(2);
  },
);

test('after a failure older bars are requested again, as long as they are near', async () => {
  const { loadOlder, answer } = asked();
  const { live, canvas } = shown(loadOlder);
  live.receive(frame('replace', [bar(1, 10)]));
  canvas.events.onOldest(true, true);
  answer({ ok: false, failure });
  await vi.advanceTimersByTimeAsync(0);
  canvas.events.onOldest(true, true);
  expect(loadOlder).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3000);
  expect(loadOlder).toHaveBeenCalledTimes(2);
  answer({ ok: false, failure });
  await vi.advanceTimersByTimeAsync(0);
  canvas.events.onOldest(false, false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loadOlder).toHaveBeenCalledTimes(2);
});

test('a busy server is asked for older bars again after as long as it asks to wait', async () => {
  const { loadOlder, answer } = asked();
  const { live, canvas } = shown(loadOlder);
  live.receive(frame('replace', [bar(1, 10)]));
  canvas.events.onOldest(true, true);
  const retryAfter = toDurationMs(100_000);
  answer({ ok: false, failure: { kind: 'transport', code: '503', retryAfter } });
  await vi.advanceTimersByTimeAsync(99_000);
  expect(loadOlder).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(loadOlder).toHaveBeenCalledTimes(2);
});

test('the end of the bars in sight is loading, or the beginning of the history', () => {
  const { live, canvas } = shown(asked().loadOlder);
  live.receive(frame('replace', [bar(1, 10)]));
  expect(live.oldEnd.value).toBeUndefined();
  canvas.events.onOldest(true, false);
  expect(live.oldEnd.value).toBeUndefined();
  canvas.events.onOldest(true, true);
  expect(live.oldEnd.value).toEqual({ kind: 'loading' });
  live.receive(frame('prepend', [bar(0, 9)], { more: false }));
  expect(live.oldEnd.value).toEqual({ kind: 'begins', time: 0 });
  canvas.events.onOldest(false, false);
  expect(live.oldEnd.value).toBeUndefined();
  canvas.events.onOldest(true, true);
  live.show({ ...EUR, period: '5min' }, format);
  expect(live.oldEnd.value).toBeUndefined();
});

test('a jump loads pages until the bar of the time is there, and shows it', async () => {
  let from = 100;
  const pages: (() => void)[] = [];
  const { live, canvas } = shown(async () => {
    pages.push(() => {
      from -= 10;
      const older = Array.from({ length: 10 }, (_, index) => bar(from + index, 1));
      live.receive(frame('prepend', older, { more: from > 0 }));
    });
    return success(undefined);
  });
  live.receive(frame('replace', [bar(100, 1), bar(101, 2)]));
  const jump = live.jump(toUnixSeconds(75 * 60 + 30), new AbortController().signal);
  for (let turn = 0; turn < 40; turn++) {
    await Promise.resolve();
    pages.shift()?.();
  }
  expect(await jump).toEqual(success(undefined));
  expect(live.bars()[0]?.time).toBe(70 * 60);
  expect(canvas.centred).toEqual([5]);
  expect(live.legendBar.value?.time).toBe(75 * 60);
});

test('a jump before the history goes to its first bar, and one that fails says so', async () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(100, 1), bar(101, 2)], { more: false }));
  await live.jump(toUnixSeconds(60), new AbortController().signal);
  expect(canvas.centred).toEqual([0]);
  const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;
  const failing = shown(async () => ({ ok: false, failure })).live;
  failing.receive(frame('replace', [bar(100, 1)]));
  const result = await failing.jump(toUnixSeconds(60), new AbortController().signal);
  expect(result).toEqual({ ok: false, failure });
});

test('follows the crosshair of another chart, and tells only where the user points itself', () => {
  const { live, canvas } = shown();
  live.receive(frame('replace', [bar(10, 1), bar(11, 2), bar(12, 3)]));
  live.follow(toUnixSeconds(690));
  // The bar that the time is in.
  expect(canvas.marked).toEqual([1]);
  expect(live.legendBar.value?.time).toBe(660);
  expect(live.pointedTime.value).toBeUndefined();
  live.follow(toUnixSeconds(10));
  live.follow(undefined);
  expect(canvas.marked).toEqual([1, undefined, undefined]);
  canvas.events.onCrosshair(2);
  expect(live.pointedTime.value).toBe(720);
  canvas.events.onCrosshair(undefined);
  expect(live.pointedTime.value).toBeUndefined();
});
