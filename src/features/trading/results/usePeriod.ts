import { useMemo } from 'react';
import type { Period } from '#domain/core/calendar';
import { useValue } from '../../../useValue';
import { DEFAULT_PERIOD, periodOf, today } from './period';

/** The period of a query, or the usual one, and its name. */
export function usePeriod(asked: string | null): { name: string; period: Period } {
  const day = useValue(today);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `periodOf` counts from the present day
  return useMemo(() => {
    const period = periodOf(asked);
    return period
      ? { name: asked ?? '', period }
      : { name: DEFAULT_PERIOD, period: periodOf(DEFAULT_PERIOD) as Period };
  }, [asked, day]);
}
