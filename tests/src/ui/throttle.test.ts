import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../../src/ui/throttle';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the same argument is run at most once in the time, and the last call is not lost', () => {
  const run = vi.fn();
  const throttled = throttle(run, 100);
  throttled.call(1);
  throttled.call(1);
  throttled.call(1);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(150);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a call that comes when the time is over replaces the one of the timer', () => {
  const run = vi.fn();
  const throttled = throttle(run, 100);
  for (let at = 0; at < 500; at += 50) {
    throttled.call(1);
    vi.advanceTimersByTime(50);
  }
  expect(run).toHaveBeenCalledTimes(5);
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(6);
});

test('another argument is run immediately, and after the end nothing is', () => {
  const run = vi.fn();
  const throttled = throttle(run, 100);
  throttled.call(1);
  throttled.call(2);
  throttled.call(2);
  expect(run.mock.calls).toEqual([[1], [2]]);
  throttled.end();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(2);
});
