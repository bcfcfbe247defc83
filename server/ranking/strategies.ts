import type { Bar } from '#domain/market/kline';
import type { Side } from '#domain/trading/order';

/** The position that a strategy wants; undefined: keep the present one. */
type TargetPosition = Side | 'flat' | undefined;

/** Number of bars that a strategy gets. */
export const BAR_COUNT = 80;

/** A deterministic rule over closed bars, oldest first. */
export type Strategy = (bars: readonly Bar[]) => TargetPosition;

/**
 * Trend following: long while the mean of the last `fast` closes is above that of the last `slow`,
 * otherwise short.
 */
export function momentum(fast: number, slow: number): Strategy {
  return (bars) => {
    if (bars.length < slow) return undefined;
    const difference = mean(closes(bars, fast)) - mean(closes(bars, slow));
    return difference > 0 ? 'buy' : difference < 0 ? 'sell' : undefined;
  };
}

/**
 * Trades against closes more than `width` standard deviations from the mean of `length` closes,
 * until the mean is reached.
 */
export function meanReversion(length: number, width: number): Strategy {
  return (bars) => {
    if (bars.length < length) return undefined;
    const values = closes(bars, length);
    const middle = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
    const [before = middle, last = middle] = values.slice(-2);
    if (deviation === 0) return undefined;
    if (last < middle - width * deviation) return 'buy';
    if (last > middle + width * deviation) return 'sell';
    const crossed = before < middle !== last < middle;
    return crossed ? 'flat' : undefined;
  };
}

/**
 * Follows a close beyond the range of the `length` bars before; flat again at the middle of the
 * range.
 */
export function breakout(length: number): Strategy {
  return (bars) => {
    const last = bars.at(-1);
    if (!last || bars.length <= length) return undefined;
    const before = bars.slice(-length - 1, -1);
    const high = Math.max(...before.map((bar) => bar.high));
    const low = Math.min(...before.map((bar) => bar.low));
    if (last.close > high) return 'buy';
    if (last.close < low) return 'sell';
    const middle = (high + low) / 2;
    return last.low <= middle && last.high >= middle ? 'flat' : undefined;
  };
}

/** The mean range of the last 20 bars. */
export function usualRange(bars: readonly Bar[]): number {
  return mean(bars.slice(-20).map(({ high, low }) => high - low));
}

function closes(bars: readonly Bar[], length: number): number[] {
  return bars.slice(-length).map(({ close }) => close);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
