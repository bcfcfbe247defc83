import { effect } from '@preact/signals-react';
import { useLayoutEffect, useState } from 'react';
import type { Period } from '#domain/core/calendar';
import type { Failure } from '#domain/core/result';
import type { Order, OrderStatus } from '#domain/trading/order';
import type { OrderProfit, OrderSort, OrderWindow } from '#domain/worker/trading';
import { useValue } from '../useValue';
import { ordersRevision, user, watchProfit } from './trading';
import { useAnswer } from './useAnswer';
import { workerApi } from './workerApi';

/**
 * Paints an order's profit while the component is mounted, without a React render (as `useQuote`).
 */
export function useProfit(
  seed: OrderProfit,
  paint: (profit: OrderProfit) => void,
  deps: readonly unknown[] = [],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seed` only matters at the start; `deps` are the caller's
  useLayoutEffect(() => {
    const { profit, release } = watchProfit(seed);
    const stop = effect(() => paint(profit.value));
    return () => {
      stop();
      release();
    };
  }, [seed.id, ...deps]);
}

/** Paints some orders' profits together, as `useProfit`. */
export function useProfits(
  seeds: readonly OrderProfit[],
  paint: (profits: readonly OrderProfit[]) => void,
  deps: readonly unknown[] = [],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: as in `useProfit`
  useLayoutEffect(() => {
    const watched = seeds.map(watchProfit);
    const stop = effect(() => paint(watched.map(({ profit }) => profit.value)));
    return () => {
      stop();
      for (const { release } of watched) release();
    };
  }, [seeds.map(({ id }) => id).join(), ...deps]);
}

export interface Orders {
  /** Undefined until known. */
  total: number | undefined;
  /** As in `OrderWindow`; undefined until known. */
  profit: string | undefined;
  fees: string | undefined;
  swap: string | undefined;
  loading: boolean;
  /** Why the last attempt failed. What was known before stays. */
  failure: Failure | undefined;
  /** The order at an index of the list; undefined until it is loaded. */
  at(index: number): Order | undefined;
}

interface Choice {
  sort?: OrderSort | undefined;
  /** Of closed orders only those that ended in it. */
  period?: Period | undefined;
}

/** Orders `first` to `last` (excluded) of a tab, newest first or by `sort`, requested again when one changes. */
export function useOrders(
  status: OrderStatus,
  first: number,
  last: number,
  { sort, period }: Choice = {},
): Orders {
  const list = `${status} ${period?.from} ${period?.until}`;
  const answer = useAnswer(
    ordersRevision,
    async () => ({ list, result: await workerApi.orders(status, first, last, sort, period) }),
    [list, first, last, sort],
  );
  const result = answer?.list === list ? answer.result : undefined;
  const owner = useValue(user)?.id;
  const [former, setFormer] = useState<{ key: string; window: OrderWindow }>();
  const key = `${owner} ${list}`;
  if (result?.ok && former?.window !== result.data) setFormer({ key, window: result.data });
  const window = result?.ok ? result.data : former?.key === key ? former.window : undefined;
  const failure = result?.ok === false ? result.failure : window?.failure;
  return {
    total: window?.total,
    profit: window?.profit,
    fees: window?.fees,
    swap: window?.swap,
    loading: window?.loading ?? failure === undefined,
    failure,
    at: (index) => window?.orders[index - window.from],
  };
}

/** Open and pending orders of one instrument; none for a visitor, or where none are wanted. */
export function useOrdersOf(instrumentId: number | undefined): readonly Order[] {
  const owner = useValue(user)?.id;
  const key = `${owner} ${instrumentId}`;
  const ask = async (id: number) => ({ key, orders: await workerApi.ordersOf(id) });
  const answer = useAnswer(
    ordersRevision,
    () => (owner === undefined || instrumentId === undefined ? undefined : ask(instrumentId)),
    [key],
  );
  return answer?.key === key && owner !== undefined ? answer.orders : NONE;
}

const NONE: readonly Order[] = [];
