/** The most decimals that a price may have. */
export const MOST_DECIMALS = 18;
/** What a double is off at most, as a share of it; a further decimal is more, up to 14 digits. */
const INEXACT = 1e-15;

/** Whether a price, a double, lies between the steps of which `perUnit` are 1; not where that is unknown (NaN). */
export function isBetweenSteps(price: number, perUnit: number): boolean {
  const steps = Math.abs(price) * perUnit;
  return Math.abs(steps - Math.round(steps)) > steps * INEXACT;
}

/** The decimals with which a price is written whole: `precision`, or as many as it has. */
export function decimalsFor(price: number, precision: number): number {
  let decimals = precision;
  while (decimals < MOST_DECIMALS && isBetweenSteps(price, 10 ** decimals)) decimals++;
  return decimals;
}
