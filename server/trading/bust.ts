import { compare } from '#domain/core/decimal';
import { timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Price, Usd } from '#domain/core/units';
import type { OrderState } from '#domain/trading/orderState';

/** Fills of an instrument between two moments of the market's clock, both included. */
export interface FillWindow {
  code: string;
  from: UnixMs;
  to: UnixMs;
}

/** What the operator undoes or corrects (domain.md#bust). */
export interface Bust extends FillWindow {
  /** The price that the fills get; undefined: they are undone. */
  price: Price | undefined;
  /** For the user to read. */
  reason: string;
}

/**
 * When prices are right again: closes by trailing stops at this moment belong to the window, because a wrong price may have moved the stop
 * past the right one.
 */
export const rightAgain = ({ to }: FillWindow): UnixMs => timeAfter(to, toDurationMs(1));

/** What a bust changes of a user. */
export interface Busted {
  annulled: number;
  reopened: number;
  corrected: number;
  /** What the user gains, margin not counted. */
  gain: Usd;
  /** What the broker lifts, because the user lacks it. */
  lifts: Usd;
  /** The balance then. */
  balance: Usd;
  /** Whether the user holds the instrument then. */
  holds: boolean;
}

/**
 * What a bust does with an order of `loadFills`: its fill or its close is undone, or prices are replaced; undefined where they are right
 * already.
 */
export function changeOf(
  order: OrderState,
  bust: Bust,
): 'annul' | 'reopen' | OrderState | undefined {
  const { from, to, price } = bust;
  const isIn = (time: UnixMs | null) => time !== null && time >= from && time <= to;
  const filled = isIn(order.filledAt ?? order.createdAt);
  if (!price) return filled ? 'annul' : 'reopen';
  const corrected: OrderState = {
    ...order,
    ...(filled && { price }),
    ...(isIn(order.completedAt) && { closePrice: price }),
  };
  const isSame =
    compare(corrected.price, order.price) === 0 &&
    compare(corrected.closePrice, order.closePrice) === 0;
  return isSame ? undefined : corrected;
}
