import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { readUsd } from '#domain/core/readAmounts';
import type { Usd } from '#domain/core/units';
import type { AccountSummary } from '#domain/worker/trading';
import { account, user } from './trading';
import { workerApi } from './workerApi';

/**
 * Requests a fresh summary of the account when what shows it, or is limited by it, opens: no push reports a deposit, a
 * redemption or a daily profit.
 */
export function useFreshBalances(open = true): void {
  useEffect(() => {
    if (open && user.peek()) void workerApi.refreshOrders(true);
  }, [open]);
}

/** Requests a fresh summary of the account once a row has another status: its review has moved money. */
export function useReviewedBalances<T extends { id: number }>(
  rows: readonly T[],
  statusOf: (row: T) => string,
): void {
  const seen = useRef(new Map<number, string>());
  useEffect(() => {
    let reviewed = false;
    for (const row of rows) {
      const status = statusOf(row);
      const before = seen.current.get(row.id);
      reviewed ||= before !== undefined && before !== status;
      seen.current.set(row.id, status);
    }
    if (reviewed) void workerApi.refreshOrders();
  });
}

/**
 * One live amount of the account in USD; undefined while unknown. Renders only when this amount
 * changes. Mounting requests a fresh summary.
 */
export function useAccountAmount(name: 'lockBalance' | 'available'): Usd | undefined {
  useFreshBalances();
  const subscribe = useCallback((changed: () => void) => account.subscribe(changed), []);
  const text = useSyncExternalStore(
    subscribe,
    () => account.peek()?.[name satisfies keyof AccountSummary],
  );
  return readUsd(text);
}
