export type Trend = 'up' | 'down' | 'flat';

/** The direction of a change, which gives a figure its colour. */
export function trendOf(change: number): Trend {
  return change > 0 ? 'up' : change < 0 ? 'down' : 'flat';
}
