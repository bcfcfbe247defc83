import { ratioOfMedians } from '../../lib/statistics';

/** What an interaction took that failed: longer than any. */
export const FAILED = Number.POSITIVE_INFINITY;

export const failuresIn = (samples: readonly number[]): number =>
  samples.filter((sample) => sample === FAILED).length;

/** The ratio to the same by hand, with its interval. */
export function ratioText(samples: readonly number[], hand: readonly number[]): string {
  const { median, low, high } = ratioOfMedians(samples, hand);
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
