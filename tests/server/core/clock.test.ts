import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, scaled } from '#domain/core/time';
import { systemClock } from '../../../server/core/clock';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([1, 24, 25, 60, 11_574])('waits for %s days', (days) => {
  const wait = scaled(DAY_MS, days);
  const action = vi.fn();
  systemClock.after(wait, action);
  vi.advanceTimersByTime(wait - 1);
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(action).toHaveBeenCalledOnce();
});

it('waits no more once it is cancelled, at any time', () => {
  const action = vi.fn();
  const cancel = systemClock.after(scaled(DAY_MS, 60), action);
  vi.advanceTimersByTime(scaled(DAY_MS, 59));
  cancel();
  vi.advanceTimersByTime(scaled(DAY_MS, 2));
  expect(action).not.toHaveBeenCalled();
});
