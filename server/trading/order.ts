import { type Decimal, toDecimal, toText, ZERO } from '#domain/core/decimal';
import type { Lots, Multiplier, Price, UnixMs, Usd } from '#domain/core/units';
import type { CloseReason, OrderStatus, Side } from '#domain/trading/order';
import { profit } from '#domain/trading/profit';
import type { Approach } from '#domain/trading/triggers';
import type { orders } from '../db/schema';

/** §3 Order as the server keeps it. Never changed in place: a change is a new one of the same id. */
export interface OrderState {
  readonly id: number;
  readonly userId: number;
  /** 0 where the market of this process does not trade it: another feed's, or no longer listed. */
  readonly instrumentId: number;
  readonly feed: string;
  readonly code: string;
  readonly name: string;
  readonly precision: number;
  readonly unitsPerLot: Decimal;
  readonly side: Side;
  readonly lots: Lots;
  readonly multiplier: Multiplier;
  /** The target, or the quote seen. */
  readonly originPrice: Price;
  /** How a pending order comes to its target; empty for others. */
  readonly approach: Approach | '';
  /** The fill; 0 while pending. */
  readonly price: Price;
  readonly margin: Usd;
  readonly fee: Usd;
  readonly stopLoss: Price;
  readonly takeProfit: Price;
  readonly status: OrderStatus;
  /** The price at which it ended; 0 before. */
  readonly closePrice: Price;
  /** Realised, six decimals; 0 before, and when cancelled. */
  readonly profit: Usd;
  readonly closeReason: CloseReason;
  readonly createdAt: UnixMs;
  readonly completedAt: UnixMs | undefined;
}

export type OrderRecord = typeof orders.$inferSelect;

export function fromRecord(record: OrderRecord): OrderState {
  return {
    ...record,
    unitsPerLot: toDecimal(record.unitsPerLot),
    lots: toDecimal(record.lots) as Lots,
    multiplier: toDecimal(record.multiplier) as Multiplier,
    originPrice: toDecimal(record.originPrice) as Price,
    price: toDecimal(record.price) as Price,
    margin: toDecimal(record.margin) as Usd,
    fee: toDecimal(record.fee) as Usd,
    stopLoss: toDecimal(record.stopLoss) as Price,
    takeProfit: toDecimal(record.takeProfit) as Price,
    closePrice: toDecimal(record.closePrice) as Price,
    profit: toDecimal(record.profit) as Usd,
    createdAt: record.createdAt.getTime(),
    completedAt: record.completedAt?.getTime(),
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
    closePrice: toText(order.closePrice),
    profit: toText(order.profit),
    createdAt: new Date(order.createdAt),
    completedAt: order.completedAt === undefined ? null : new Date(order.completedAt),
  };
}

/** Profit of a holding order at `price`; 0 while there is no price. */
export function profitAt(order: OrderState, price: Price | undefined): Usd {
  return price === undefined ? (ZERO as Usd) : profit(order, price);
}
