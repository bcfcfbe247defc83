import type { UnixSeconds } from '#domain/core/units';
import type { Period } from '#domain/market/kline';
import type { Stretch } from './trace';

/** Seconds in the bars of each level of subdivision; each is split into those of the next. */
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

/** What a draw with an instrument's or a factor's key is for; the levels are for splitting. */
export const PURPOSE = { day: 8, gap: 9, sunday: 10 } as const;

/** A bar of one of the levels: prices in points, and what its children are drawn from. */
export interface BarNode extends Stretch {
  level: number;
  time: UnixSeconds;
  /** At least 1 for each tick. */
  volume: number;
  /** Of the move through it, in points squared. */
  variance: number;
}
