import { type Seconds, startOfStep, toSeconds, type UnixSeconds } from '../core/time';

/** The periods of the chart (domain.md#periods), shortest first. */
export const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day'] as const;
export type Period = (typeof PERIODS)[number];

/** Seconds in each period. */
export const PERIOD_SECONDS: Readonly<Record<Period, Seconds>> = {
  '1min': toSeconds(60),
  '5min': toSeconds(300),
  '15min': toSeconds(900),
  '30min': toSeconds(1800),
  '60min': toSeconds(3600),
  '1day': toSeconds(86_400),
};

/**
 * One candlestick. Prices are doubles: a decimal of up to 15 significant
 * digits survives the round trip (D1), and nothing here is money.
 */
export interface Bar {
  /** Start of the bar, aligned to its period in UTC. */
  time: UnixSeconds;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Traded volume; 0 marks a placeholder in which nothing was traded (domain.md#folding-bars). */
  volume: number;
}

/** Start of the bar of `period` that holds `time`, in UTC. */
export function barStart(period: Period, time: UnixSeconds): UnixSeconds {
  return startOfStep(time, PERIOD_SECONDS[period]);
}

/** The bar that a single tick opens. */
export function barFromTick(time: UnixSeconds, price: number, volume: number): Bar {
  return { time, open: price, high: price, low: price, close: price, volume };
}

/** Folds a tick into `bar`, in place. The caller checks that the tick belongs to it. */
export function foldTick(bar: Bar, price: number, volume: number): void {
  if (price > bar.high) bar.high = price;
  if (price < bar.low) bar.low = price;
  bar.close = price;
  bar.volume += volume;
}

/**
 * Folds the bar of a shorter period into its parent, in place; the children come oldest first.
 * A placeholder counts only where all its siblings are placeholders (domain.md#folding-bars).
 */
export function foldBar(parent: Bar, child: Bar): void {
  if (parent.volume === 0 && child.volume > 0) {
    parent.open = child.open;
    parent.high = child.high;
    parent.low = child.low;
    parent.close = child.close;
    parent.volume = child.volume;
  } else if (child.volume > 0 || parent.volume === 0) {
    if (child.high > parent.high) parent.high = child.high;
    if (child.low < parent.low) parent.low = child.low;
    parent.close = child.close;
    parent.volume += child.volume;
  }
}

/** Folds the bars of a shorter period, oldest first, into bars of `period`. */
export function foldBars(children: readonly Bar[], period: Period): Bar[] {
  const parents: Bar[] = [];
  let parent: Bar | undefined;
  for (const child of children) {
    const time = barStart(period, child.time);
    if (parent?.time === time) {
      foldBar(parent, child);
    } else {
      parent = { ...child, time };
      parents.push(parent);
    }
  }
  return parents;
}
