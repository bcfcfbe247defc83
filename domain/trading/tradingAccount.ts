import { add, subtract, ZERO } from '../core/decimal';
import type { Price, Usd } from '../core/units';
import type { AccountTotals } from './accountSummary';
import { type OrderState, profitAt } from './orderState';

/** A position and its floating profit at the latest price. */
interface OpenPosition {
  readonly order: OrderState;
  readonly profit: Usd;
}

/** Balance and open orders of a user. Margin in use and profit are sums over the orders. */
export interface TradingAccount extends AccountTotals {
  readonly userId: number;
  readonly pending: Map<number, OrderState>;
  readonly positions: Map<number, OpenPosition>;
}

/** An account without orders. */
export function emptyAccount(userId: number, balance: Usd): TradingAccount {
  return {
    userId,
    balance,
    marginInUse: ZERO,
    profit: ZERO,
    pending: new Map(),
    positions: new Map(),
  };
}

export function copyOf(account: TradingAccount): TradingAccount {
  return {
    ...account,
    pending: new Map(account.pending),
    positions: new Map(account.positions),
  };
}

/** Adds or replaces an open order; `price` is the latest price. The balance does not change. */
export function putOrder(
  account: TradingAccount,
  order: OrderState,
  price: Price | undefined,
): void {
  removeOrder(account, order.id);
  account.marginInUse = add(account.marginInUse, order.margin);
  if (order.status === 'pending') {
    account.pending.set(order.id, order);
    return;
  }
  const profit = profitAt(order, price);
  account.positions.set(order.id, { order, profit });
  account.profit = add(account.profit, profit);
}

/** Removes an open order. The balance does not change. */
export function removeOrder(account: TradingAccount, id: number): void {
  const held = account.positions.get(id);
  const order = held?.order ?? account.pending.get(id);
  if (!order) return;
  account.marginInUse = subtract(account.marginInUse, order.margin);
  if (held) account.profit = subtract(account.profit, held.profit);
  account.positions.delete(id);
  account.pending.delete(id);
}

/** Updates the floating profit of a position to another price. */
export function revalue(account: TradingAccount, order: OrderState, price: Price): void {
  const held = account.positions.get(order.id);
  if (!held) return;
  const profit = profitAt(order, price);
  account.positions.set(order.id, { order, profit });
  account.profit = add(account.profit, subtract(profit, held.profit));
}
