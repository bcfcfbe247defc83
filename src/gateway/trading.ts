import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { useLayoutEffect, useState } from 'react';
import type { User } from '#domain/account/user';
import { add, ZERO } from '#domain/core/decimal';
import { readUsd } from '#domain/core/read';
import type { Failure } from '#domain/core/result';
import type { Usd } from '#domain/core/units';
import type {
  AccountFigures,
  OrderProfit,
  OrderSort,
  OrderWindow,
  TicketPreview,
  TradingFrame,
} from '#domain/gateway/trading';
import type { Order, OrderStatus } from '#domain/trading/order';
import { useValue } from '../signals';
import { gateway } from './client';
import { useAnswer } from './useAnswer';
import { watchAccount } from './watching';

/** The current user: null for a visitor, undefined until the worker has reported. */
export const user = signal<User | null | undefined>(undefined);
/** The figures of the account. They come while something subscribes to them. */
export const account = signal<AccountFigures | null>(null, {
  watched: () => watchAccount(true),
  unwatched: () => watchAccount(false),
});
/** The preview of the ticket that is set. */
export const ticketPreview = signal<TicketPreview | undefined>(undefined);
/** Changes when an order is added, changed or ended. */
const ordersRevision = signal(0);

interface WatchedProfit {
  profit: Signal<OrderProfit>;
  count: number;
}
const profits = new Map<number, WatchedProfit>();

export function applyTrading(frame: TradingFrame): void {
  if (frame.user !== undefined) user.value = frame.user;
  if (frame.account !== undefined) account.value = frame.account;
  if (frame.ticket !== undefined) ticketPreview.value = frame.ticket;
  if (frame.ordersRevision !== undefined) ordersRevision.value = frame.ordersRevision;
  for (const changed of frame.profits ?? []) {
    const watched = profits.get(changed.id);
    if (watched) watched.profit.value = changed;
  }
}

/** Watches an order's floating profit. `seed` is used where nothing newer is known. */
function watchProfit(seed: OrderProfit): {
  profit: ReadonlySignal<OrderProfit>;
  release: () => void;
} {
  const { id } = seed;
  const watched = profits.get(id) ?? { profit: signal(seed), count: 0 };
  profits.set(id, watched);
  watched.count++;
  if (watched.count === 1) void gateway.watchOrders({ add: [id], remove: [] });
  let held = true;
  return {
    profit: watched.profit,
    release() {
      if (!held) return;
      held = false;
      watched.count--;
      if (watched.count > 0) return;
      profits.delete(id);
      void gateway.watchOrders({ add: [], remove: [id] });
    },
  };
}

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

/** Paints the sum of some orders' profits, as `useProfit`. */
export function useProfitSum(
  seeds: readonly OrderProfit[],
  paint: (sum: Usd) => void,
  deps: readonly unknown[] = [],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: as in `useProfit`
  useLayoutEffect(() => {
    const watched = seeds.map(watchProfit);
    const stop = effect(() =>
      paint(
        watched.reduce<Usd>(
          (sum, { profit }) => add(sum, readUsd(profit.value.profit) ?? ZERO),
          ZERO,
        ),
      ),
    );
    return () => {
      stop();
      for (const { release } of watched) release();
    };
  }, [seeds.map(({ id }) => id).join(), ...deps]);
}

export interface Orders {
  /** Undefined until known. */
  total: number | undefined;
  /** Sum over all pages in USD, six decimals; undefined until known. */
  profit: string | undefined;
  loading: boolean;
  /** Why the last attempt failed. What was known before stays. */
  failure: Failure | undefined;
  /** The order at an index of the list; undefined until it is loaded. */
  at(index: number): Order | undefined;
}

/** Orders `first` to `last` (excluded) of a tab, newest first or by `sort`, requested again when one changes. */
export function useOrders(
  status: OrderStatus,
  first: number,
  last: number,
  sort?: OrderSort,
): Orders {
  const answer = useAnswer(
    ordersRevision,
    async () => ({ status, result: await gateway.orders(status, first, last, sort) }),
    [status, first, last, sort],
  );
  const result = answer?.status === status ? answer.result : undefined;
  const owner = useValue(user)?.id;
  const [kept, keep] = useState<{ key: string; window: OrderWindow }>();
  const key = `${owner} ${status}`;
  if (result?.ok && kept?.window !== result.data) keep({ key, window: result.data });
  const window = result?.ok ? result.data : kept?.key === key ? kept.window : undefined;
  const failure = result?.ok === false ? result.failure : window?.failure;
  return {
    total: window?.total,
    profit: window?.profit,
    loading: window?.loading ?? failure === undefined,
    failure,
    at: (index) => window?.orders[index - window.from],
  };
}

/** Open and pending orders of one instrument; none for a visitor. */
export function useOrdersOf(instrumentId: number): readonly Order[] {
  const owner = useValue(user)?.id;
  const key = `${owner} ${instrumentId}`;
  const ask = async () => ({ key, orders: await gateway.ordersOf(instrumentId) });
  const answer = useAnswer(ordersRevision, () => (owner === undefined ? undefined : ask()), [key]);
  return answer?.key === key && owner !== undefined ? answer.orders : NONE;
}

const NONE: readonly Order[] = [];
