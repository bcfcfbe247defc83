import { type CalendarUnit, startOf } from '../core/calendar';
import {
  add,
  compare,
  type Decimal,
  maximum,
  negate,
  quotient,
  sign,
  subtract,
  toDecimal,
  ZERO,
} from '../core/decimal';
import type { UnixMs } from '../core/time';
import { CENTS, type Percent, toPercent, toUsd, type Usd } from '../core/units';
import type { Order } from './order';
import { type ClosedOrder, NOTHING_REALISED, netResult, type Realised, withOrder } from './profit';

/** A closed order that was filled, and whose fill the broker has not undone. Only these count in results, with their fee, when they end (domain.md#results). */
export type Trade = Order & { completedAt: UnixMs };

export function isTrade(order: Order): order is Trade {
  const { status, completedAt, price, closeReason } = order;
  const isClosed = status === 'closed' && completedAt !== undefined;
  return isClosed && sign(price) > 0 && closeReason !== 'busted';
}

/** What some trades came to. USD, exact. */
export interface ResultTotals extends Realised {
  orders: number;
  /** Those whose net result is above 0, and those where it is below; the rest ended even. */
  won: number;
  lost: number;
  /** The net results of those that won, added up, and of those that lost. */
  gain: Usd;
  loss: Usd;
}

const NOTHING: ResultTotals = {
  orders: 0,
  won: 0,
  lost: 0,
  ...NOTHING_REALISED,
  gain: ZERO,
  loss: ZERO,
};

function withTrade(totals: ResultTotals, trade: Trade): ResultTotals {
  const net = netResult(trade);
  const won = sign(net) > 0;
  const lost = sign(net) < 0;
  return {
    orders: totals.orders + 1,
    won: totals.won + (won ? 1 : 0),
    lost: totals.lost + (lost ? 1 : 0),
    ...withOrder(totals, trade),
    gain: won ? add(totals.gain, net) : totals.gain,
    loss: lost ? add(totals.loss, net) : totals.loss,
  };
}

/** What the trades came to in all. */
export function totalsOf(trades: readonly Trade[]): ResultTotals {
  return trades.reduce(withTrade, NOTHING);
}

/** won / (won + lost) in percent, with as many decimals as are shown (domain.md#win-rate); undefined where none won or lost. */
export function winRate({ won, lost }: ResultTotals, decimals: number): Percent | undefined {
  const decided = won + lost;
  if (decided === 0) return undefined;
  return toPercent(quotient(toDecimal(100 * won), toDecimal(decided), decimals));
}

/** The mean net result of the trades that won, in cents; undefined where none did. */
export function averageWin({ gain, won }: ResultTotals): Usd | undefined {
  return mean(gain, won);
}

/** The mean net result of the trades that lost, in cents, below 0; undefined where none did. */
export function averageLoss({ loss, lost }: ResultTotals): Usd | undefined {
  return mean(loss, lost);
}

function mean(sum: Usd, count: number): Usd | undefined {
  return count === 0 ? undefined : toUsd(quotient(sum, toDecimal(count), CENTS));
}

/** gain / loss, 2 decimals (domain.md#profit-factor); undefined where no trade lost. */
export function profitFactor({ gain, loss }: ResultTotals): Decimal | undefined {
  return sign(loss) === 0 ? undefined : quotient(gain, negate(loss), 2);
}

/**
 * The most that the sum of the net results fell from its highest before, starting at 0
 * (domain.md#largest-drawdown). Trades in the order in which they ended. USD, not below 0.
 */
export function largestDrawdown(oldestFirst: readonly ClosedOrder[]): Usd {
  let sum: Usd = ZERO;
  let peak: Usd = ZERO;
  let deepest: Usd = ZERO;
  for (const trade of oldestFirst) {
    sum = add(sum, netResult(trade));
    peak = maximum(peak, sum);
    deepest = maximum(deepest, subtract(peak, sum));
  }
  return deepest;
}

export type Grouping = CalendarUnit | 'instrument';
export const GROUPINGS = [
  'day',
  'week',
  'month',
  'instrument',
] as const satisfies readonly Grouping[];

/** The trades of a day, week or month, or of an instrument. */
export interface ResultGroup {
  /** The start of the day, week or month; of an instrument the end of its newest trade. */
  time: UnixMs;
  /** The name of the instrument; empty otherwise. */
  name: string;
  totals: ResultTotals;
}

/**
 * The trades by the day, week or month in which they ended, the newest first, or by instrument, the
 * best first. `newestFirst` is in the order of the history.
 */
export function groupsBy(grouping: Grouping, newestFirst: readonly Trade[]): ResultGroup[] {
  const groups = new Map<number | string, ResultGroup>();
  for (const trade of newestFirst) {
    const byName = grouping === 'instrument';
    const time = byName ? trade.completedAt : startOf(grouping, trade.completedAt);
    const key = byName ? trade.code || trade.name : time;
    const known = groups.get(key) ?? { time, name: byName ? trade.name : '', totals: NOTHING };
    groups.set(key, { ...known, totals: withTrade(known.totals, trade) });
  }
  const found = [...groups.values()];
  if (grouping === 'instrument') found.sort((a, b) => compare(b.totals.net, a.totals.net));
  return found;
}
