import { useEffect } from 'react';
import { toDurationMs } from '#domain/core/time';
import { gateway } from '../gateway/client';
import { orderSeconds } from '../session/preferences';
import { useValue } from '../useValue';

/** Informs the worker how long the user's orders are valid. */
export function useOrderTime(): void {
  const seconds = useValue(orderSeconds);
  useEffect(() => {
    void gateway.setOrderTime(toDurationMs(seconds * 1000));
  }, [seconds]);
}
