import { sign, toNumber } from '#domain/core/decimal';
import { toUnixSeconds, type UnixMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { netResult } from '#domain/trading/profit';
import type { Trade } from '#domain/trading/results';

/** The bars of a chart, oldest first. */
export interface Bars {
  readonly length: number;
  at(index: number): Bar | undefined;
  /** Index of the first bar at or after `time`. */
  indexOf(time: number): number;
}

/** Where a past trade is in a chart. */
export interface TradeMark {
  trade: Trade;
  /** Index of the bar that it was filled in; undefined where that is not loaded. */
  entry: number | undefined;
  /** Index of the bar that it ended in. */
  exit: number;
  entryPrice: number;
  exitPrice: number;
  result: 'profit' | 'loss' | 'even';
}

/** The marks of those trades whose end is among the bars, in the order of the trades. */
export function marksOf(trades: readonly Trade[], bars: Bars): TradeMark[] {
  return trades.flatMap((trade) => {
    const exit = barAt(bars, trade.completedAt);
    if (exit === undefined) return [];
    return {
      trade,
      entry: entryOf(trade, bars, exit),
      exit,
      entryPrice: toNumber(trade.price),
      exitPrice: toNumber(trade.updatePrice),
      result: (['loss', 'even', 'profit'] as const)[sign(netResult(trade)) + 1] ?? 'even',
    };
  });
}

/**
 * The protocol tells when an order was placed, not when a pending one was filled: that is the first bar since then that
 * reached its price. Bid and ask may fill outside a bar's range, so the quote that the user saw counts as well.
 */
function entryOf({ createdAt, price, originPrice }: Trade, bars: Bars, exit: number) {
  const placed = barAt(bars, createdAt);
  if (placed === undefined) return undefined;
  const prices = [toNumber(price), toNumber(originPrice)];
  for (let index = placed; index <= exit; index++) {
    const bar = bars.at(index);
    if (bar && prices.some((each) => each >= bar.low && each <= bar.high)) return index;
  }
  return placed;
}

/** Index of the bar of a moment, or the last one before it; undefined where that is not loaded. */
function barAt(bars: Bars, moment: UnixMs): number | undefined {
  const time = toUnixSeconds(Math.floor(moment / 1000));
  const next = bars.indexOf(time);
  const index = bars.at(next)?.time === time ? next : next - 1;
  return index < 0 ? undefined : index;
}
