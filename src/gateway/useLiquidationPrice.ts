import { useEffect, useState } from 'react';
import { calmEffect } from '../ui/calmly';
import { account } from './trading';

/**
 * The price of an instrument at which the account is stopped out (domain.md#stop-out-price), at most four times a second;
 * undefined where there is none. Undefined `instrumentId`: none is held, and the account is not watched.
 */
export function useLiquidationPrice(instrumentId: number | undefined): string | undefined {
  const [price, setPrice] = useState<string>();
  useEffect(() => {
    if (instrumentId === undefined) return;
    const stop = calmEffect(
      () => account.value !== null,
      () => setPrice(account.peek()?.stopOutPrices[instrumentId]),
    );
    return () => {
      stop();
      setPrice(undefined);
    };
  }, [instrumentId]);
  return price;
}
