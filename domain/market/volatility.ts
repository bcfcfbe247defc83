/** The range of the closes of a sparkline and the latest price, in percent of that; NaN where either is missing (domain.md#volatility). */
export function volatility(closes: ArrayLike<number>, latest: number): number {
  if (closes.length === 0 || !(latest > 0)) return Number.NaN;
  let low = latest;
  let high = latest;
  for (let i = 0; i < closes.length; i++) {
    low = Math.min(low, closes[i] as number);
    high = Math.max(high, closes[i] as number);
  }
  return (100 * (high - low)) / latest;
}
