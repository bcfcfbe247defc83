import { useEffect } from 'react';
import { toDurationMs } from '#domain/core/time';
import { orderSeconds } from '../preferences/preferences';
import { useValue } from '../useValue';
import { workerApi } from '../worker/workerApi';

/** Informs the worker how long the user's orders are valid. */
export function useOrderTime(): void {
  const seconds = useValue(orderSeconds);
  useEffect(() => {
    void workerApi.setOrderTime(toDurationMs(seconds * 1000));
  }, [seconds]);
}
