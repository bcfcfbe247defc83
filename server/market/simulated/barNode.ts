import type { UnixSeconds } from '#domain/core/time';
import type { Period } from '#domain/market/period';
import type { Stretch } from './trace';

/** Length of the bars of each level in seconds; each bar is split into bars of the next level. */
export const LEVELS = [86_400, 3600, 1800, 900, 300, 60] as const;
export const DAY = 0;
export const MINUTE = 5;

export const LEVEL_OF: Readonly<Record<Period, number>> = {
  '1day': DAY,
  '60min': 1,
  '30min': 2,
  '15min': 3,
  '5min': 4,
  '1min': MINUTE,
};

/** Purposes of draws with the key of an instrument or a factor; smaller numbers are levels. */
export const PURPOSE = { day: 8, gap: 9, sunday: 10 } as const;

/** A bar of one level, with prices in points and what its children are drawn from. */
export interface BarNode extends Stretch {
  level: number;
  time: UnixSeconds;
  /** At least 1 for each tick. */
  volume: number;
  /** Variance of its move, points squared. */
  variance: number;
}
