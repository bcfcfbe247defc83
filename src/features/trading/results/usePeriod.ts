import { useMemo } from 'react';
import type { Period } from '#domain/core/calendar';
import { useValue } from '../../../useValue';
import { recordedTime } from '../../../worker/recordedTime';
import { DEFAULT_PERIOD, periodOf } from './period';

/** The period of a query, or the usual one, and its name. */
export function usePeriod(asked: string | null): { name: string; period: Period } {
  // In a replay the last days are those of the recording.
  const recorded = useValue(recordedTime);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `periodOf` reads the recording's time
  return useMemo(() => {
    const period = periodOf(asked);
    return period
      ? { name: asked ?? '', period }
      : { name: DEFAULT_PERIOD, period: periodOf(DEFAULT_PERIOD) as Period };
  }, [asked, recorded]);
}
