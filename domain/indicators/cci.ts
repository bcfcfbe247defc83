import type { Bar } from '../market/kline';

/**
 * Commodity Channel Index (domain.md#indicators) of (high + low + close) / 3, from bar `length` on;
 * 0 where none of these prices differs.
 */
export function cci(length: number) {
  const prices: number[] = [];
  return (bar: Readonly<Bar>, replace: boolean): number => {
    const typical = (bar.high + bar.low + bar.close) / 3;
    if (replace) prices.pop();
    prices.push(typical);
    if (prices.length > length) prices.shift();
    if (prices.length < length) return Number.NaN;
    // Their mean may differ from all of them by its rounding.
    if (prices.every((price) => price === typical)) return 0;
    const mean = prices.reduce((sum, price) => sum + price, 0) / length;
    const deviation = prices.reduce((sum, price) => sum + Math.abs(price - mean), 0) / length;
    return (typical - mean) / (0.015 * deviation);
  };
}
