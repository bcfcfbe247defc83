import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { readUsd } from '#domain/core/readAmounts';
import type { Usd } from '#domain/core/units';
import type { AccountSummary } from '#domain/worker/trading';
import { account, user } from './trading';
import { workerApi } from './workerApi';

/**
 * One live amount of the account in USD; undefined while unknown. Renders only when this amount
 * changes. Mounting requests a fresh summary (screens.md#orders).
 */
export function useAccountAmount(name: 'lockBalance' | 'available'): Usd | undefined {
  useEffect(() => {
    if (user.peek()) void workerApi.refreshOrders(true);
  }, []);
  const subscribe = useCallback((changed: () => void) => account.subscribe(changed), []);
  const text = useSyncExternalStore(
    subscribe,
    () => account.peek()?.[name satisfies keyof AccountSummary],
  );
  return readUsd(text);
}
