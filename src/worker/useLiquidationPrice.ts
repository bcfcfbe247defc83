import { useEffect, useState } from 'react';
import { isEqual } from '#domain/core/isEqual';
import { throttledEffect } from '../ui/throttle';
import { account } from './trading';

/**
 * The price of an instrument at which the account is stopped out (domain.md#stop-out-price), at most four times a second;
 * undefined where there is none. Undefined `instrumentId`: none is held, and the account is not watched.
 */
export function useLiquidationPrice(instrumentId: number | undefined): string | undefined {
  const [held, hold] = useState<{ of: number; price: string | undefined }>();
  useEffect(() => {
    if (instrumentId === undefined) return;
    return throttledEffect(
      () => account.value !== null,
      () => {
        const next = { of: instrumentId, price: account.peek()?.stopOutPrices[instrumentId] };
        hold((present) => (isEqual(present, next) ? present : next));
      },
    );
  }, [instrumentId]);
  return held?.of === instrumentId ? held?.price : undefined;
}
