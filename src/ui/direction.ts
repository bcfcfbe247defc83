export type Direction = 'up' | 'down' | 'flat';

/** The direction of a change, which gives a figure its colour. */
export function directionOf(change: number): Direction {
  return change > 0 ? 'up' : change < 0 ? 'down' : 'flat';
}
