import { ZERO } from '../core/decimal';
import type { UnixMs } from '../core/time';
import type { Leverage, Lots, Price, UnitsPerLot, Usd } from '../core/units';
import type { CloseReason, OrderStatus, Side } from './order';
import { profit } from './profit';
import type { Approach } from './triggers';

/**
 * An order (protocol.md#order) as matching knows it, on the server and in a practice session. Immutable: a change creates a
 * new object with the same id. USD and prices are exact; times are of the market's clock, UTC.
 */
export interface OrderState {
  readonly id: number;
  readonly userId: number;
  /** The feed that it belongs to; another feed has other prices. */
  readonly feed: string;
  /** 0 where this process does not trade the instrument: it is of another feed or no longer listed. */
  readonly instrumentId: number;
  readonly code: string;
  readonly name: string;
  /** Decimals of a price. */
  readonly precision: number;
  readonly unitsPerLot: UnitsPerLot;
  readonly side: Side;
  readonly lots: Lots;
  readonly leverage: Leverage;
  /** The target, or the quote seen. */
  readonly originPrice: Price;
  /** From which side the price reaches the target of a pending order; empty for others. */
  readonly approach: Approach | '';
  /** Price of the fill; 0 while pending. */
  readonly price: Price;
  readonly margin: Usd;
  readonly fee: Usd;
  /** 0 = none, as the take-profit. */
  readonly stopLoss: Price;
  readonly takeProfit: Price;
  readonly status: OrderStatus;
  /** Price at which it ended; 0 before. */
  readonly closePrice: Price;
  /** Realised; 0 before, and when cancelled. */
  readonly profit: Usd;
  readonly closeReason: CloseReason;
  readonly createdAt: UnixMs;
  readonly completedAt: UnixMs | null;
  /** The order that it was a part of until a partial close; what it froze and paid is on that one. */
  readonly splitFrom: number | null;
  /** How far the stop-loss follows the best price; 0 = it does not. */
  readonly trailing: Price;
  /** The feed's clock after whose ticks the stop-loss follows. */
  readonly trailingSince: UnixMs | null;
  /** When a pending order expires; null: it waits until it is cancelled. */
  readonly until: UnixMs | null;
  /** What its nights have been charged in all; negative is paid. */
  readonly swap: Usd;
  /** Up to when the nights of a position are charged; null: none are. */
  readonly chargedUntil: UnixMs | null;
  /** When it was filled; null: not yet, or before this was kept. */
  readonly filledAt: UnixMs | null;
  /** What the broker has earned by its fills being away from the latest price. */
  readonly spread: Usd;
}

/** Profit of a position at `price`, USD, six decimals; 0 while there is no price. */
export function profitAt(order: OrderState, price: Price | undefined): Usd {
  return price === undefined ? ZERO : profit(order, price);
}
