import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { readUsd } from '#domain/core/readAmounts';
import type { Usd } from '#domain/core/units';
import type { AccountFigures } from '#domain/worker/trading';
import { workerApi } from './workerApi';
import { account, user } from './trading';

/**
 * One live figure of the account in USD; undefined while unknown. Renders only when this figure
 * changes. Mounting requests fresh figures (screens.md#orders).
 */
export function useAccountFigure(name: 'lockBalance' | 'freeBalance'): Usd | undefined {
  useEffect(() => {
    if (user.peek()) void workerApi.refreshOrders(true);
  }, []);
  const subscribe = useCallback((changed: () => void) => account.subscribe(changed), []);
  const text = useSyncExternalStore(
    subscribe,
    () => account.peek()?.[name satisfies keyof AccountFigures],
  );
  return readUsd(text);
}
