/** On which side of the price axis a line lies. */
export type Side = 'above' | 'below';

export interface PriceRange {
  minValue: number;
  maxValue: number;
}

/** Scale to lines within this many heights of the bars; beyond, the bars would become too flat. */
const NEAR = 1.5;
/**
 * Minimum height of the bars as a share of the price, so that near stops stay visible in quiet
 * minutes.
 */
const LEAST_HEIGHT = 0.0005;

/** The smallest step of an axis, for the library. It has no `base` of its own that is exact for 17 decimals. */
export const smallestMove = (decimals: number) => ({
  minMove: 10 ** -decimals,
  base: 10 ** decimals,
});

/** The price range whose lines the axis includes. */
export function nearRange({ minValue, maxValue }: PriceRange): PriceRange {
  const reach = Math.max(maxValue - minValue, maxValue * LEAST_HEIGHT) * NEAR;
  return { minValue: minValue - reach, maxValue: maxValue + reach };
}

/**
 * The range of the price axis: the bars, the lines near them, and all lines of the sides in
 * `revealed`.
 */
export function rangeWithLines(
  bars: PriceRange,
  prices: readonly number[],
  revealed: ReadonlySet<Side>,
): PriceRange {
  const near = nearRange(bars);
  const shown = prices.filter(
    (price) =>
      (price >= near.minValue || revealed.has('below')) &&
      (price <= near.maxValue || revealed.has('above')),
  );
  return {
    minValue: Math.min(bars.minValue, ...shown),
    maxValue: Math.max(bars.maxValue, ...shown),
  };
}
