import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { lastDays, nextStart } from '#domain/core/calendar';
import { timeOf } from '#domain/core/time';
import { usePeriod } from '../../../../../src/features/trading/results/usePeriod';

afterEach(() => {
  vi.useRealTimers();
});

test('after midnight the last days end with the new day; within a day nothing renders', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 1, 23, 50) });
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
