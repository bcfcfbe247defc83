import { quantileOf } from './quantiles';

/** The screen's refresh interval: the shortest that were seen, without outliers. A busy page rarely reaches it. */
export function refreshOf(intervals: readonly number[]): number {
  return quantileOf(intervals, 0.05);
}

/** How many frames the screen would have shown between the measured ones. */
export function droppedFrames(intervals: readonly number[]): number {
  const refresh = refreshOf(intervals);
  let missed = 0;
  for (const interval of intervals) missed += Math.max(1, Math.round(interval / refresh)) - 1;
  return missed;
}
