import { act } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { failed, success } from '#domain/core/result';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Candles } from '#domain/market/candles';
import { chartClock } from '../../../../../src/features/trading/chart/chartClock';
import { axisMode, compareWith } from '../../../../../src/features/trading/chart/chartSettings';
import StyledChart from '../../../../../src/features/trading/chart/chartTypes/StyledChart';
import { LiveChart } from '../../../../../src/features/trading/chart/liveChart';
import { renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';

const FORMAT = { clock: chartClock('1min', 'en'), formatPrice: String, precision: 2 };
afterEach(() => {
  compareWith(1, undefined);
  axisMode.value = 'linear';
});

/** Bars from a minute to the one before another. */
const frame = (
  instrumentId: number,
  change: Candles['change'],
  from: number,
  to: number,
): Candles => ({
  ...{ instrumentId, period: '1min', change, more: from > 0 },
  bars: Float64Array.from(
    Array.from({ length: to - from }, (_, at) => [(from + at) * 60, 1, 1, 1, 1, 1]).flat(),
  ),
});

test('bars of the compared instrument are asked for until they reach back to the oldest of the chart, each page once', async () => {
  const worker = scriptWorkerApi([listRow(1), listRow(2)]);
  const loadOlder = vi.fn(async () => success(undefined));
  worker.scripted.loadOlder = loadOlder;
  const live = new LiveChart(loadOlder);
  live.show({ instrumentId: 1, period: '1min' }, FORMAT);
  live.receive(frame(1, 'replace', 20, 100));
  compareWith(1, 2);
  await renderSettled(<StyledChart live={live} instrumentId={1} period="1min" />);
  const candles = (...list: Candles[]) => act(async () => worker.frame({ candles: list }));
  await candles(frame(2, 'replace', 70, 100));
  expect(loadOlder.mock.calls).toEqual([[{ instrumentId: 2, period: '1min' }]]);
  // Its answer is there, its bars are not.
  await candles(frame(2, 'update', 99, 100));
  expect(loadOlder).toHaveBeenCalledTimes(1);
  await candles(frame(2, 'prepend', 40, 70));
  expect(loadOlder).toHaveBeenCalledTimes(2);
  await candles(frame(2, 'prepend', 10, 40));
  expect(loadOlder).toHaveBeenCalledTimes(2);
  live.receive(frame(1, 'prepend', 5, 20));
  expect(loadOlder).toHaveBeenCalledTimes(3);
});

test('a page of them that failed is asked for again, not before the server wants it, while it is compared', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const worker = scriptWorkerApi([listRow(1), listRow(2)]);
  let retryAfter: DurationMs | undefined;
  const loadOlder = vi.fn(async () =>
    failed({ kind: 'transport', code: '429', ...(retryAfter && { retryAfter }) }),
  );
  worker.scripted.loadOlder = loadOlder;
  const live = new LiveChart(async () => success(undefined));
  live.show({ instrumentId: 1, period: '1min' }, FORMAT);
  live.receive(frame(1, 'replace', 20, 100));
  compareWith(1, 2);
  const { unmount } = await renderSettled(
    <StyledChart live={live} instrumentId={1} period="1min" />,
  );
  await act(async () => worker.frame({ candles: [frame(2, 'replace', 70, 100)] }));
  const after = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
  expect(loadOlder).toHaveBeenCalledTimes(1);
  await after(2999);
  live.receive(frame(1, 'prepend', 10, 20));
  expect(loadOlder).toHaveBeenCalledTimes(1);
  retryAfter = toDurationMs(10_000);
  await after(1);
  expect(loadOlder).toHaveBeenCalledTimes(2);
  await after(9999);
  expect(loadOlder).toHaveBeenCalledTimes(2);
  await after(1);
  expect(loadOlder).toHaveBeenCalledTimes(3);
  unmount();
  await after(20_000);
  expect(loadOlder).toHaveBeenCalledTimes(3);
});

test('while it is compared the chart has a percent axis, whatever the setting', async () => {
  scriptWorkerApi([listRow(1), listRow(2)]).scripted.loadOlder = async () => success(undefined);
  const live = new LiveChart(async () => success(undefined));
  live.show({ instrumentId: 1, period: '1min' }, FORMAT);
  axisMode.value = 'logarithmic';
  await renderSettled(<StyledChart live={live} instrumentId={1} period="1min" />);
  expect(live.axisMode.value).toBe('logarithmic');
  await act(async () => compareWith(1, 2));
  expect(live.axisMode.value).toBe('percent');
});
