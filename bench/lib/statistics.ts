import { randomFrom } from '#domain/workload/draws';
import { medianOf } from '#domain/workload/quantiles';

export { shuffled } from '#domain/workload/draws';
export { medianOf, quantileOf } from '#domain/workload/quantiles';

/** A median and its 95 % bootstrap interval. */
export interface Estimate {
  median: number;
  low: number;
  high: number;
  count: number;
}

const RESAMPLES = 2000;

/** The same of several lists together, chosen by their indexes. Sorts once, because a bootstrap asks thousands of times. */
export function quantileOfLists(
  lists: readonly (readonly number[])[],
  share: number,
): (chosen: readonly number[]) => number {
  const sorted = lists
    .flatMap((list, index) => list.map((value) => ({ value, index })))
    .sort((a, b) => a.value - b.value);
  return (chosen) => {
    const times = lists.map(() => 0);
    let count = 0;
    for (const index of chosen) {
      times[index] = (times[index] ?? 0) + 1;
      count += lists[index]?.length ?? 0;
    }
    if (count === 0) return Number.NaN;
    let left = Math.min(count - 1, Math.floor(share * count));
    for (const { value, index } of sorted) {
      left -= times[index] ?? 0;
      if (left < 0) return value;
    }
    return Number.NaN;
  };
}

/** With fewer samples an interval supports no claim. */
export const FEWEST = 5;

type Resample = <T>(items: readonly T[]) => T[];

/**
 * 95 % bootstrap interval of a statistic, reproducible by `seed`. Values measured together are
 * resampled together, others independently.
 */
function intervalOf(
  seed: number,
  statistic: (resample: Resample) => number,
): { low: number; high: number } {
  const random = randomFrom(seed);
  const resample: Resample = (items) =>
    items.map(() => items[Math.floor(random() * items.length)] as (typeof items)[number]);
  const found = Array.from({ length: RESAMPLES }, () => statistic(resample)).sort((a, b) => a - b);
  return {
    low: found[Math.floor(RESAMPLES * 0.025)] ?? Number.NaN,
    high: found[Math.ceil(RESAMPLES * 0.975) - 1] ?? Number.NaN,
  };
}

/** 95 % bootstrap interval of a statistic of `items`, reproducible. */
export function bootstrap<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
): { low: number; high: number } {
  return intervalOf(items.length + 1, (resample) => statistic(resample(items)));
}

export function estimate(values: readonly number[]): Estimate {
  const finite = values.filter(Number.isFinite);
  return { median: medianOf(finite), ...bootstrap(finite, medianOf), count: finite.length };
}

/** One median divided by another, of values that were not measured together. */
export function ratioOfMedians(
  over: readonly number[],
  under: readonly number[],
): { median: number; low: number; high: number } {
  const median = medianOf(over) / medianOf(under);
  const seed = over.length + under.length + 1;
  const ratio = intervalOf(
    seed,
    (resample) => medianOf(resample(over)) / medianOf(resample(under)),
  );
  return { median, ...ratio };
}

/** Exponent and factor of y = factor × x ^ exponent, by least squares of the logarithms. */
export function powerLaw(points: readonly { x: number; y: number }[]): {
  exponent: number;
  factor: number;
} {
  const logs = points
    .filter(({ x, y }) => x > 0 && y > 0)
    .map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
  const mx = mean(logs.map(({ x }) => x));
  const my = mean(logs.map(({ y }) => y));
  const exponent =
    logs.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) /
    logs.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
  return { exponent, factor: Math.exp(my - exponent * mx) };
}
