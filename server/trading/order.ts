import { ZERO } from '#domain/core/decimal';
import type { Price, Usd } from '#domain/core/units';
import { profit } from '#domain/trading/profit';
import type { orders } from '../db/schema';

/**
 * An order (protocol.md#order) as the server keeps it. Immutable: a change creates a new object
 * with the same id. Its `instrumentId` is 0 where this process does not trade the instrument: it
 * is of another feed or no longer listed.
 */
export type OrderState = Readonly<typeof orders.$inferSelect>;

/** Profit of a position at `price`; 0 while there is no price. */
export function profitAt(order: OrderState, price: Price | undefined): Usd {
  return price === undefined ? ZERO : profit(order, price);
}
