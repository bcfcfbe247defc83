import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { User } from '#domain/account/user';
import type {
  AccountSummary,
  OrderProfit,
  TicketPreview,
  TradingFrame,
} from '#domain/worker/trading';
import { watchAccount } from './watching';
import { workerApi } from './workerApi';

/** The current user: null for a visitor, undefined until the worker has reported. */
export const user = signal<User | null | undefined>(undefined);
/** The summary of the account. It comes while something subscribes to it. */
export const account = signal<AccountSummary | null>(null, {
  watched: () => watchAccount(true),
  unwatched: () => watchAccount(false),
});
/** The preview of the ticket that is set. */
export const ticketPreview = signal<TicketPreview | undefined>(undefined);
/** The preview of the order that a change of another one would make. */
export const changePreview = signal<TicketPreview | undefined>(undefined);
/** Changes when an order is added, changed or ended. */
export const ordersRevision = signal(0);

interface WatchedProfit {
  profit: Signal<OrderProfit>;
  count: number;
}
const profits = new Map<number, WatchedProfit>();

export function applyTrading(frame: TradingFrame): void {
  if (frame.user !== undefined) user.value = frame.user;
  if (frame.account !== undefined) account.value = frame.account;
  if (frame.ticket !== undefined) ticketPreview.value = frame.ticket;
  if (frame.change !== undefined) changePreview.value = frame.change;
  if (frame.ordersRevision !== undefined) ordersRevision.value = frame.ordersRevision;
  for (const changed of frame.profits ?? []) {
    const watched = profits.get(changed.id);
    if (watched) watched.profit.value = changed;
  }
}

/** Watches an order's floating profit. `seed` is used where nothing newer is known. */
export function watchProfit(seed: OrderProfit): {
  profit: ReadonlySignal<OrderProfit>;
  release: () => void;
} {
  const { id } = seed;
  const watched = profits.get(id) ?? { profit: signal(seed), count: 0 };
  profits.set(id, watched);
  watched.count++;
  if (watched.count === 1) void workerApi.watchOrders({ add: [id], remove: [] });
  let held = true;
  return {
    profit: watched.profit,
    release() {
      if (!held) return;
      held = false;
      watched.count--;
      if (watched.count > 0) return;
      profits.delete(id);
      void workerApi.watchOrders({ add: [], remove: [id] });
    },
  };
}
