import { effect, type ReadonlySignal, untracked } from '@preact/signals-core';
import { useCallback, useEffect, useRef } from 'react';
import type { Usd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import type { OrderProfit } from '#domain/worker/trading';
import { watchProfit } from '../../../worker/trading';
import { knownProfit, profitSeed } from '../orders/profitText';
import type { LiveChart } from './liveChart';

/** What open orders are worth now, as everywhere else. The chart repaints what moves when that changes. */
export function useLiveProfits(live: LiveChart, orders: readonly Order[]): (order: Order) => Usd {
  const profits = useRef<ReadonlyMap<number, ReadonlySignal<OrderProfit>>>(new Map());
  useEffect(() => {
    const held = orders.filter(({ status }) => status === 'holding');
    const watched = held.map((order) => ({ id: order.id, ...watchProfit(profitSeed(order)) }));
    profits.current = new Map(watched.map(({ id, profit }) => [id, profit]));
    const stop = effect(() => {
      for (const { profit } of watched) void profit.value;
      if (watched.length > 0) untracked(() => live.repaintEnd());
    });
    return () => {
      stop();
      for (const { release } of watched) release();
    };
  }, [live, orders]);
  return useCallback((order) => {
    const known = profits.current.get(order.id)?.peek();
    return (known && knownProfit(known)) ?? order.profit;
  }, []);
}
