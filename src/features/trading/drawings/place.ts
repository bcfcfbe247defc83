import {
  add,
  type Decimal,
  decimal,
  product,
  quotient,
  subtract,
  toDecimal,
} from '#domain/core/decimal';
import { toUnixSeconds, type UnixSeconds } from '#domain/core/time';
import { barEnd, barStart, type ChartPeriod } from '#domain/market/kline';
import type { BarList } from '../chart/barList';
import type { Anchor } from './drawing';
import { priceText } from './drawingsFile';

/** Seconds of a month, in the mean of the calendar. */
const MEAN_MONTH = 2_629_746;

/** The bars of a period, by number also before the first and after the last one. */
export class BarTimes {
  readonly #bars: Pick<BarList, 'length' | 'at' | 'indexOf'>;
  readonly #period: ChartPeriod;
  /** Seconds of a bar. Months begin less than half a month from where the mean has them. */
  readonly #length: number;

  constructor(bars: Pick<BarList, 'length' | 'at' | 'indexOf'>, period: ChartPeriod) {
    this.#bars = bars;
    this.#period = period;
    const first = barStart(period, toUnixSeconds(0));
    this.#length = period === '1month' ? MEAN_MONTH : barEnd(period, first) - first;
  }

  /** Bars from the one that begins at `start` to the one that holds `time`, without gaps. */
  #barsTo(time: UnixSeconds, start: UnixSeconds): number {
    return Math.round((barStart(this.#period, time) - start) / this.#length);
  }

  /** The start of the bar that is `count` after the one that begins at `start`, without gaps. */
  #startAfter(start: UnixSeconds, count: number): UnixSeconds {
    return barStart(this.#period, toUnixSeconds(start + (count + 0.5) * this.#length));
  }

  /**
   * The number of the bar that holds a time. After a gap it is the bar before it; outside of the
   * bars they are counted on without gaps. Undefined without bars.
   */
  indexOf(time: UnixSeconds): number | undefined {
    const count = this.#bars.length;
    const first = this.#bars.at(0)?.time;
    const last = this.#bars.at(count - 1)?.time;
    if (first === undefined || last === undefined) return undefined;
    if (time < first) return this.#barsTo(time, first);
    if (time >= last) return count - 1 + this.#barsTo(time, last);
    return this.#bars.indexOf(time + 1) - 1;
  }

  /** The start of a bar by its number, a whole one. */
  timeAt(index: number): UnixSeconds | undefined {
    const count = this.#bars.length;
    const first = this.#bars.at(0)?.time;
    const last = this.#bars.at(count - 1)?.time;
    if (first === undefined || last === undefined) return undefined;
    if (index < 0) return this.#startAfter(first, index);
    if (index >= count) return this.#startAfter(last, index - count + 1);
    return this.#bars.at(index)?.time;
  }

  /**
   * A time moved by bars; undefined without bars. It keeps its distance from the start of its bar, also of one that is missing in a gap, and
   * stays within the bar where that is a shorter month.
   */
  moved(time: UnixSeconds, bars: number): UnixSeconds | undefined {
    if (bars === 0) return time;
    const index = this.indexOf(time);
    const start = index === undefined ? undefined : this.timeAt(index + bars);
    if (start === undefined) return undefined;
    const within = time - barStart(this.#period, time);
    return toUnixSeconds(Math.min(start + within, barEnd(this.#period, start) - 1));
  }
}

/**
 * Anchors moved by bars and by smallest steps of the price; undefined where one would leave the
 * prices that can be drawn.
 */
export function movedAnchors(
  anchors: readonly Anchor[],
  bars: number,
  steps: number,
  times: Pick<BarTimes, 'moved'>,
  precision: number,
): Anchor[] | undefined {
  const moved: Anchor[] = [];
  for (const { time, price } of anchors) {
    const next = times.moved(time, bars);
    const text = priceText(add(toDecimal(price), decimal(steps, precision)), precision);
    if (next === undefined || next < 0 || text === undefined) return undefined;
    moved.push({ time: next, price: text });
  }
  return moved;
}

/** What lies between two anchors. */
export interface Measured {
  /** Negative: back in time. */
  bars: number;
  difference: Decimal;
  /** Of the first price, two decimals. */
  percent: Decimal;
}

export function measured(from: Anchor, to: Anchor, times: Pick<BarTimes, 'indexOf'>): Measured {
  const difference = subtract(toDecimal(to.price), toDecimal(from.price));
  return {
    bars: (times.indexOf(to.time) ?? 0) - (times.indexOf(from.time) ?? 0),
    difference,
    percent: quotient(product(difference, decimal(100)), toDecimal(from.price), 2),
  };
}

/** The price of a Fibonacci level, exact, rounded to the decimals of the feed. */
export function levelPrice(
  from: Anchor,
  to: Anchor,
  level: number,
  precision: number,
): string | undefined {
  const whole = subtract(toDecimal(from.price), toDecimal(to.price));
  return priceText(add(toDecimal(to.price), product(whole, toDecimal(level))), precision);
}
