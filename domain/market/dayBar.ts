import type { Bar } from './kline';

/** What a list shows of the bar of an instrument's day. */
export type DayBar = Pick<Bar, 'low' | 'high' | 'volume'>;

/** The bar of the day with a price that may have come before the bar that has it. */
export function withPrice({ low, high, volume }: DayBar, price: number): DayBar {
  return Number.isNaN(price)
    ? { low, high, volume }
    : { low: Math.min(low, price), high: Math.max(high, price), volume };
}

/** Where a price stands in the range of its day: 0 at the low, 1 at the high, the middle of a range without width. */
export function shareOfRange({ low, high }: DayBar, price: number): number {
  return high > low ? (price - low) / (high - low) : 0.5;
}
