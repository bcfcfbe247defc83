import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../../../../src/features/trading/chart/throttle';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('the first change is drawn at once, a burst after it once, and the last one is never lost', () => {
  let value = 0;
  const drawn: number[] = [];
  const pace = throttle(() => drawn.push(value), 100);
  for (value = 1; value <= 60; value++) {
    pace.request();
    vi.advanceTimersByTime(16);
  }
  vi.advanceTimersByTime(1000);
  expect(drawn[0]).toBe(1);
  expect(drawn.at(-1)).toBe(61);
  expect(drawn.length).toBeLessThanOrEqual(1 + Math.ceil((60 * 16) / 100));
  expect(vi.getTimerCount()).toBe(0);
});

test('a cancelled redraw is not drawn', () => {
  let count = 0;
  const pace = throttle(() => count++, 100);
  pace.request();
  pace.request();
  pace.cancel();
  vi.advanceTimersByTime(1000);
  expect(count).toBe(1);
});
