import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { readUsd } from '#domain/core/read';
import type { Usd } from '#domain/core/units';
import type { AccountFigures } from '#domain/gateway/trading';
import { gateway } from './client';
import { account, user } from './trading';

/**
 * One live figure of the account in USD, rendering again only when that changes;
 * undefined while it is not known. Entering the screen asks for it anew (screens.md#orders).
 */
export function useAccountFigure(name: 'balance' | 'lockBalance' | 'freeBalance'): Usd | undefined {
  useEffect(() => {
    if (user.peek()) void gateway.refreshOrders();
  }, []);
  const subscribe = useCallback((changed: () => void) => account.subscribe(changed), []);
  const text = useSyncExternalStore(
    subscribe,
    () => account.peek()?.[name satisfies keyof AccountFigures],
  );
  return readUsd(text);
}
