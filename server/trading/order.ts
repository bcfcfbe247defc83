import { toText, ZERO } from '#domain/core/decimal';
import { timeOf, type UnixMs } from '#domain/core/time';
import {
  type Lots,
  type Multiplier,
  type Price,
  toLots,
  toMultiplier,
  toPrice,
  toUnitsPerLot,
  toUsd,
  type UnitsPerLot,
  type Usd,
} from '#domain/core/units';
import type { CloseReason, OrderStatus, Side } from '#domain/trading/order';
import { profit } from '#domain/trading/profit';
import type { Approach } from '#domain/trading/triggers';
import type { orders } from '../db/schema';

/**
 * An order (protocol.md#order) as the server keeps it. Immutable: a change creates a new object
 * with the same id.
 */
export interface OrderState {
  readonly id: number;
  readonly userId: number;
  /**
   * 0 where this process does not trade the instrument: it is of another feed or no longer listed.
   */
  readonly instrumentId: number;
  readonly feed: string;
  readonly code: string;
  readonly name: string;
  readonly precision: number;
  readonly unitsPerLot: UnitsPerLot;
  readonly side: Side;
  readonly lots: Lots;
  readonly multiplier: Multiplier;
  /** The target, or the quote seen. */
  readonly originPrice: Price;
  /** From which side the price reaches the target of a pending order; empty for others. */
  readonly approach: Approach | '';
  /** Price of the fill; 0 while pending. */
  readonly price: Price;
  readonly margin: Usd;
  readonly fee: Usd;
  readonly stopLoss: Price;
  readonly takeProfit: Price;
  /** How far the stop-loss follows the best price; 0 = it does not. */
  readonly trailing: Price;
  /** The feed's clock after whose ticks the stop-loss follows; undefined while it does not. */
  readonly trailingSince: UnixMs | undefined;
  readonly status: OrderStatus;
  /** Price at which it ended; 0 before. */
  readonly closePrice: Price;
  /** Realised profit with six decimals; 0 before, and when cancelled. */
  readonly profit: Usd;
  readonly closeReason: CloseReason;
  readonly createdAt: UnixMs;
  readonly completedAt: UnixMs | undefined;
  /** The order that it was a part of until a partial close: the ledger has its margin and fee there. */
  readonly splitFrom: number | null;
}

export type OrderRecord = typeof orders.$inferSelect;

export function fromRecord(record: OrderRecord): OrderState {
  return {
    ...record,
    unitsPerLot: toUnitsPerLot(record.unitsPerLot),
    lots: toLots(record.lots),
    multiplier: toMultiplier(record.multiplier),
    originPrice: toPrice(record.originPrice),
    price: toPrice(record.price),
    margin: toUsd(record.margin),
    fee: toUsd(record.fee),
    stopLoss: toPrice(record.stopLoss),
    takeProfit: toPrice(record.takeProfit),
    trailing: toPrice(record.trailing),
    trailingSince: record.trailingSince ? timeOf(record.trailingSince) : undefined,
    closePrice: toPrice(record.closePrice),
    profit: toUsd(record.profit),
    createdAt: timeOf(record.createdAt),
    completedAt: record.completedAt ? timeOf(record.completedAt) : undefined,
  };
}

export function toRecord(order: OrderState): OrderRecord {
  return {
    ...order,
    unitsPerLot: toText(order.unitsPerLot),
    lots: toText(order.lots),
    multiplier: toText(order.multiplier),
    originPrice: toText(order.originPrice),
    price: toText(order.price),
    margin: toText(order.margin),
    fee: toText(order.fee),
    stopLoss: toText(order.stopLoss),
    takeProfit: toText(order.takeProfit),
    trailing: toText(order.trailing),
    trailingSince: order.trailingSince === undefined ? null : new Date(order.trailingSince),
    closePrice: toText(order.closePrice),
    profit: toText(order.profit),
    createdAt: new Date(order.createdAt),
    completedAt: order.completedAt === undefined ? null : new Date(order.completedAt),
  };
}

/** Profit of a holding order at `price`; 0 while there is no price. */
export function profitAt(order: OrderState, price: Price | undefined): Usd {
  return price === undefined ? ZERO : profit(order, price);
}
