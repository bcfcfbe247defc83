import type { Draws } from './random';

/** A part of the price curve, in points. */
export interface Stretch {
  open: number;
  high: number;
  low: number;
  close: number;
  /** Number of ticks: one, or at least two and one more for each extreme beyond open and close. */
  ticks: number;
}

/** The parts of a curve before they are traced. */
export interface Parts {
  /** At least 1 each. */
  ticks: number[];
  /** Variance of the move in each part, above 0. */
  variances: number[];
  /** Standard normal draws of those moves. */
  moves: number[];
}

/**
 * Index of each corner of a part in one flat array. Parts of few ticks have fewer corners; the
 * others are NaN. After `trace` the corners are open, high, low and close.
 */
export const OPEN = 0;
export const HIGH = 1;
export const LOW = 2;
export const CLOSE = 3;
export const CORNERS = 4;

/** Reused between calls, because this runs for every bar and tick. */
let values = new Float64Array(0);
/** When each corner comes, measured in variance passed. */
let times = new Float64Array(0);

/**
 * Splits `parent` into consecutive parts whose fold is exactly the parent; the parts together have
 * as many ticks. A Brownian bridge is drawn from open to close. Its highest and lowest points are
 * moved to the parent's high and low and the points between follow in proportion, which is the
 * bridge under that condition; what still lies outside is reflected. The corners are valid until
 * the next call.
 */
export function trace(parent: Stretch, parts: Parts, draws: Draws): Float64Array {
  const count = parts.ticks.length;
  const size = count * CORNERS;
  if (values.length < size) {
    values = new Float64Array(size * 2);
    times = new Float64Array(size * 2);
  }
  values.fill(Number.NaN, 0, size);
  bridge(parent, parts, draws);
  const highest = parent.high > Math.max(parent.open, parent.close) ? extreme(size, 1, -1) : -1;
  const lowest = parent.low < Math.min(parent.open, parent.close) ? extreme(size, -1, highest) : -1;
  if (highest >= 0 || lowest >= 0) pin(parent, size, highest, lowest);
  for (let i = 0; i < size; i++) {
    if (i === highest) values[i] = parent.high;
    else if (i === lowest) values[i] = parent.low;
    else values[i] = Math.round(reflect(values[i] as number, parent));
  }
  for (let i = 0; i < count; i++) toBar(i * CORNERS, parts.ticks[i] as number);
  return values;
}

/**
 * A random walk through all ticks. The step into a part is one of its ticks, the others are inside
 * it.
 */
function bridge(parent: Stretch, { ticks, variances, moves }: Parts, draws: Draws): void {
  const count = ticks.length;
  // A first part of one tick has no move: it is the open.
  const begin = ticks[0] === 1 ? 1 : 0;
  let total = 0;
  let drift = 0;
  for (let i = begin; i < count; i++) {
    total += variances[i] as number;
    drift += (moves[i] as number) * Math.sqrt(variances[i] as number);
  }
  values[OPEN] = parent.open;
  times[OPEN] = 0;
  const body = parent.close - parent.open;
  let previous = parent.open;
  let passed = 0;
  let walked = 0;
  for (let i = begin; i < count; i++) {
    const at = i * CORNERS;
    const variance = variances[i] as number;
    const began = passed;
    passed += variance;
    walked += (moves[i] as number) * Math.sqrt(variance);
    const share = passed / total;
    const close =
      i === count - 1 ? parent.close : parent.open + body * share + walked - drift * share;
    if (ticks[i] === 1) {
      values[at + OPEN] = close;
      times[at + OPEN] = passed;
    } else {
      const step = i === 0 ? 0 : 1 / (ticks[i] as number);
      if (i > 0) {
        const scatter = Math.sqrt(variance * step * (1 - step)) * draws.normal();
        values[at + OPEN] = previous + (close - previous) * step + scatter;
        times[at + OPEN] = began + variance * step;
      }
      values[at + CLOSE] = close;
      times[at + CLOSE] = passed;
      addWicks(at, ticks[i] as number, variance * (1 - step), draws);
      // A rising bar reaches its low first.
      const rises = close > (values[at + OPEN] as number);
      times[at + HIGH] = began + variance * (rises ? 0.7 : 0.4);
      times[at + LOW] = began + variance * (rises ? 0.4 : 0.7);
    }
    previous = close;
  }
}

function addWicks(at: number, ticks: number, variance: number, draws: Draws): void {
  if (ticks < 3) return;
  const open = values[at + OPEN] as number;
  const body = (values[at + CLOSE] as number) - open;
  const up = bridgeMaximum(body, variance, draws.next());
  const down = bridgeMaximum(-body, variance, draws.next());
  const only = ticks > 3 ? undefined : draws.next() < 0.5 ? HIGH : LOW;
  if (only !== LOW) values[at + HIGH] = open + up;
  if (only !== HIGH) values[at + LOW] = open - down;
}

/** A draw of the maximum, above its start, of a Brownian bridge that ends at `body`. */
export function bridgeMaximum(body: number, variance: number, uniform: number): number {
  return (body + Math.sqrt(body * body - 2 * variance * Math.log(uniform))) / 2;
}

/** Index of the most extreme corner, without the parent's ends and the other extreme (`taken`). */
function extreme(size: number, sign: 1 | -1, taken: number): number {
  const last = size - CORNERS;
  const end = Number.isNaN(values[last + CLOSE]) ? last + OPEN : last + CLOSE;
  let found = -1;
  for (let i = 1; i < size; i++) {
    const value = values[i] as number;
    if (i === end || i === taken || Number.isNaN(value)) continue;
    if (found < 0 || (value - (values[found] as number)) * sign > 0) found = i;
  }
  return found;
}

/**
 * Moves the extremes to the parent's high and low, and all other corners by interpolation between
 * them.
 */
function pin(parent: Stretch, size: number, highest: number, lowest: number): void {
  const last = size - CORNERS;
  const end = Number.isNaN(values[last + CLOSE]) ? last + OPEN : last + CLOSE;
  const pins = [
    { time: 0, shift: 0 },
    { time: times[end] as number, shift: 0 },
  ];
  const add = (at: number, price: number) =>
    pins.push({ time: times[at] as number, shift: price - (values[at] as number) });
  if (highest >= 0) add(highest, parent.high);
  if (lowest >= 0) add(lowest, parent.low);
  pins.sort((a, b) => a.time - b.time);
  for (let k = 1; k < pins.length; k++) {
    const from = pins[k - 1] as { time: number; shift: number };
    const to = pins[k] as { time: number; shift: number };
    const slope = to.time > from.time ? (to.shift - from.shift) / (to.time - from.time) : 0;
    for (let i = 0; i < size; i++) {
      const time = times[i] as number;
      if (time > from.time && time <= to.time) {
        values[i] = (values[i] as number) + from.shift + slope * (time - from.time);
      }
    }
  }
}

/** Reflects a price at the parent's high and low until it lies between them. */
function reflect(value: number, { high, low }: Stretch): number {
  if (Number.isNaN(value) || (value >= low && value <= high)) return value;
  const range = high - low;
  if (range === 0) return low;
  const turn = (((value - low) % (2 * range)) + 2 * range) % (2 * range);
  return low + (turn > range ? 2 * range - turn : turn);
}

function toBar(at: number, ticks: number): void {
  const open = values[at + OPEN] as number;
  const close = ticks === 1 ? open : (values[at + CLOSE] as number);
  let high = open > close ? open : close;
  let low = open > close ? close : open;
  // Not Math.max: missing corners are NaN.
  for (let i = at + HIGH; i <= at + LOW; i++) {
    const corner = values[i] as number;
    if (corner > high) high = corner;
    if (corner < low) low = corner;
  }
  values[at + HIGH] = high;
  values[at + LOW] = low;
  values[at + CLOSE] = close;
}
