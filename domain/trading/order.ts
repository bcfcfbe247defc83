import type { UnixMs } from '../core/time';
import type { Leverage, Lots, Price, Usd } from '../core/units';

/** `OrderType` on the wire: 1 is buy (long), any other sell (short) (protocol.md#order). */
export type Side = 'buy' | 'sell';
/** `Status` on the wire: 0, 1, 3 (domain.md#order-states). */
export type OrderStatus = 'pending' | 'holding' | 'closed';

/** Why an order closed (domain.md#close-reasons). */
export const CLOSE_REASONS = [
  'user',
  'stop_loss',
  'take_profit',
  'stop_out',
  'cancelled',
  'expired',
  'reset',
  'delisted',
  'busted',
] as const;
/** Empty while the order is open. */
export type CloseReason = '' | (typeof CLOSE_REASONS)[number];

/** An order (protocol.md#order). */
export interface Order {
  id: number;
  instrumentId: number;
  code: string;
  name: string;
  precision: number;
  side: Side;
  lots: Lots;
  leverage: Leverage;
  /** The target of a pending order, or the quote seen by a market order. */
  originPrice: Price;
  /** The fill; 0 while pending. */
  price: Price;
  /** The latest price, or the closing price once closed. */
  updatePrice: Price;
  /** Floating, realised once closed, 0 while pending or cancelled; six decimals. */
  profit: Usd;
  margin: Usd;
  fee: Usd;
  /** What its nights have been charged, in all; negative is paid (domain.md#overnight-financing). */
  swap: Usd;
  /** 0 = none. */
  stopLoss: Price;
  /** 0 = none. */
  takeProfit: Price;
  /** How far the stop-loss follows the best price; 0 = it does not. */
  trailing: Price;
  /** When a pending order expires, by the market's clock; undefined: it waits until it is cancelled. */
  until: UnixMs | undefined;
  status: OrderStatus;
  createdAt: UnixMs;
  completedAt: UnixMs | undefined;
  closeReason: CloseReason;
}
