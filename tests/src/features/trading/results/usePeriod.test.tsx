import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { lastDays, nextStart } from '#domain/core/calendar';
import { timeOf, toDurationMs } from '#domain/core/time';
import { usePeriod } from '../../../../../src/features/trading/results/usePeriod';
import { steadyTime } from '../../../../../src/worker/age';
import { connectionState } from '../../../../../src/worker/frameReceiver';

const before = connectionState.peek();
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  act(() => {
    connectionState.value = before;
  });
});

/** Sets the market's clock, and this device's so much ahead. */
function marketAt(now: Date, { ahead = 0, recorded = false } = {}): void {
  vi.useFakeTimers({ now: now.getTime() + ahead });
  const marketOffset = toDurationMs(now.getTime() - steadyTime());
  connectionState.value = { state: 'live', marketOffset, recorded };
}
const lastWeek = () => renderHook(() => usePeriod('7d').period).result;

test('after midnight the last days end with the new day; within a day nothing renders', async () => {
  marketAt(new Date(2026, 10, 1, 23, 50));
  let renders = 0;
  const { result } = renderHook(() => {
    renders++;
    return usePeriod('7d').period;
  });
  const first = result.current;
  const began = renders;
  expect(first).toEqual(lastDays(7, timeOf(new Date(2026, 10, 1))));
  await act(() => vi.advanceTimersByTimeAsync(9 * 60_000));
  expect(result.current).toBe(first);
  expect(renders).toBe(began);
  await act(() => vi.advanceTimersByTimeAsync(2 * 60_000));
  expect(result.current).toEqual(lastDays(7, timeOf(new Date(2026, 10, 2))));
  expect(result.current.until).toBe(nextStart('day', first.until));
});

test.each([-8, 8])('the day is the market’s on a device whose clock is %i h ahead', (hours) => {
  const now = new Date(2026, 10, 2, 12 + hours * 1.25);
  marketAt(now, { ahead: hours * 3_600_000 });
  expect(lastWeek().current).toEqual(lastDays(7, timeOf(now)));
});

test('a replay’s day begins at midnight where the time zone has quarter hours, too', () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu');
  const now = new Date(2014, 4, 7, 0, 5);
  marketAt(now, { recorded: true });
  expect(lastWeek().current).toEqual(lastDays(7, timeOf(now)));
});

test('the days are those of the zone that the device has come to', () => {
  vi.stubEnv('TZ', 'Europe/London');
  const now = new Date(2026, 10, 1, 2);
  marketAt(now);
  const period = lastWeek();
  expect(period.current).toEqual(lastDays(7, timeOf(now)));
  vi.stubEnv('TZ', 'America/New_York');
  act(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(period.current).toEqual(lastDays(7, timeOf(now)));
});
