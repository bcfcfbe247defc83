import { expect, test, vi } from 'vitest';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import { quoteAge, steadyTime } from '../../../src/worker/age';
import { liveQuote } from '../../../src/worker/quotes';
import { listRow } from '../scriptedWorkerApi';

const quote = (time: number | undefined) => ({
  ...liveQuote(listRow(1)),
  time: time === undefined ? undefined : toUnixMs(time),
  arrived: toUnixMs(100_000),
});

test('the age is by the market’s clock if it and the quote’s time are known', () => {
  expect(quoteAge(quote(5_000), toDurationMs(-90_000), toUnixMs(110_000))).toBe(15_000);
});

test('the age is the time since arrival otherwise, and never negative', () => {
  expect(quoteAge(quote(undefined), toDurationMs(-90_000), toUnixMs(110_000))).toBe(10_000);
  expect(quoteAge(quote(5_000), undefined, toUnixMs(110_000))).toBe(10_000);
  expect(quoteAge(quote(50_000), toDurationMs(-90_000), toUnixMs(110_000))).toBe(0);
});

test('the time of ages goes on when the wall clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const before = steadyTime();
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(5000);
  expect(steadyTime() - before).toBeCloseTo(5000, -2);
  vi.useRealTimers();
});
