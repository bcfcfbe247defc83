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
import type { BarList } from '../chart/barList';
import type { Anchor } from './drawing';
import { priceText } from './drawingsFile';

/** The bars of a period, by number also before the first and after the last one. */
export class BarTimes {
  readonly #bars: Pick<BarList, 'length' | 'at' | 'indexOf'>;
  readonly #lengthAt: (time: UnixSeconds) => number;

  /** `lengthAt`: seconds in the bar that begins at a time. */
  constructor(
    bars: Pick<BarList, 'length' | 'at' | 'indexOf'>,
    lengthAt: (time: UnixSeconds) => number,
  ) {
    this.#bars = bars;
    this.#lengthAt = lengthAt;
  }

  /**
   * The number of the bar that holds a time. After a gap it is the bar before it; outside of the
   * bars they are counted on without gaps. Undefined without bars.
   */
  indexOf(time: number): number | undefined {
    const count = this.#bars.length;
    const first = this.#bars.at(0)?.time;
    const last = this.#bars.at(count - 1)?.time;
    if (first === undefined || last === undefined) return undefined;
    if (time < first) return Math.floor((time - first) / this.#lengthAt(first));
    if (time >= last) return count - 1 + Math.floor((time - last) / this.#lengthAt(last));
    return this.#bars.indexOf(time + 1) - 1;
  }

  /** The start of a bar by its number, a whole one. */
  timeAt(index: number): UnixSeconds | undefined {
    const count = this.#bars.length;
    const first = this.#bars.at(0)?.time;
    const last = this.#bars.at(count - 1)?.time;
    if (first === undefined || last === undefined) return undefined;
    if (index < 0) return toUnixSeconds(first + index * this.#lengthAt(first));
    if (index >= count) return toUnixSeconds(last + (index - count + 1) * this.#lengthAt(last));
    return this.#bars.at(index)?.time;
  }
}

/**
 * Anchors moved by bars and by smallest steps of the price; undefined where one would leave the
 * prices that can be drawn. A time within a bar keeps its distance from the bar's start.
 */
export function movedAnchors(
  anchors: readonly Anchor[],
  bars: number,
  steps: number,
  times: Pick<BarTimes, 'indexOf' | 'timeAt'>,
  precision: number,
): Anchor[] | undefined {
  const moved: Anchor[] = [];
  for (const { time, price } of anchors) {
    const index = times.indexOf(time);
    const start = index === undefined ? undefined : times.timeAt(index);
    const next = index === undefined ? undefined : times.timeAt(index + bars);
    const text = priceText(add(toDecimal(price), decimal(steps, precision)), precision);
    if (start === undefined || next === undefined || next < 0 || text === undefined)
      return undefined;
    moved.push({ time: bars === 0 ? time : toUnixSeconds(next + time - start), price: text });
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
