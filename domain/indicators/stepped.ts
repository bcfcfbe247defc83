import type { Bar } from '../market/kline';

/**
 * A calculation that goes from bar to bar. Returns the function that takes a bar, or with
 * `replace` the last one again, as it is now: that one steps from where the bar before it ended.
 */
export function stepped<State>(
  first: State,
  step: (before: Readonly<State>, bar: Readonly<Bar>) => State,
): (bar: Readonly<Bar>, replace: boolean) => State {
  let before = first;
  let after = first;
  return (bar, replace) => {
    if (!replace) before = after;
    after = step(before, bar);
    return after;
  };
}

/** The mean of the first `length` values, then Wilder's: a step of 1 / `length` towards each next one. */
export interface WilderMean {
  count: number;
  /** Of fewer than `length` values: their sum. */
  mean: number;
}

export const NO_MEAN: WilderMean = { count: 0, mean: 0 };

/** The mean with one more value. */
export function wilderStep({ count, mean }: WilderMean, value: number, length: number): WilderMean {
  if (count >= length) return { count, mean: mean + (value - mean) / length };
  const sum = mean + value;
  return { count: count + 1, mean: count + 1 === length ? sum / length : sum };
}
