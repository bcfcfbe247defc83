/** Where a line stands whose price is not on the price axis. */
export type Side = 'above' | 'below';

export interface PriceRange {
  minValue: number;
  maxValue: number;
}

/** Lines within so many heights of the bars are scaled to; beyond, the bars would become too flat. */
const NEAR = 1.5;
/** Bars lower than this share of the price count as this high: in a quiet minute a near stop stays near. */
const LEAST_HEIGHT = 0.0005;

/** The prices whose lines the axis is scaled to. */
export function nearRange({ minValue, maxValue }: PriceRange): PriceRange {
  const reach = Math.max(maxValue - minValue, maxValue * LEAST_HEIGHT) * NEAR;
  return { minValue: minValue - reach, maxValue: maxValue + reach };
}

/** The price axis: the bars, the lines near them, and all lines of the sides that were asked for. */
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
