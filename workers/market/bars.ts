import { emptyBar } from '#domain/api/read-market';
import { earliest, toUnixSeconds, type UnixSeconds } from '#domain/core/time';
import { BAR_STRIDE } from '#domain/market/candles';
import { type Bar, barEnd, barStart, type ChartPeriod, foldBar } from '#domain/market/kline';

const FOREVER = toUnixSeconds(Number.POSITIVE_INFINITY);

/** Bars sorted by time, each time once, in one typed array laid out as `Candles.bars`. */
export class Bars {
  #numbers = new Float64Array(64 * BAR_STRIDE);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Time of the first bar; NaN where there is none. */
  get first(): UnixSeconds {
    return this.time(0);
  }

  /** Time of the last bar; NaN where there is none. */
  get last(): UnixSeconds {
    return this.time(this.#length - 1);
  }

  time(index: number): UnixSeconds {
    return toUnixSeconds(
      index >= 0 && index < this.#length
        ? (this.#numbers[index * BAR_STRIDE] ?? Number.NaN)
        : Number.NaN,
    );
  }

  /** Index of the first bar at or after `time`. */
  indexOf(time: UnixSeconds): number {
    const last = this.last;
    if (!(last >= time)) return this.#length;
    if (last === time) return this.#length - 1;
    let low = 0;
    let high = this.#length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Copies a bar into `bar`. */
  read(index: number, bar: Bar): void {
    const at = index * BAR_STRIDE;
    const numbers = this.#numbers;
    bar.time = toUnixSeconds(numbers[at] as number);
    bar.open = numbers[at + 1] as number;
    bar.high = numbers[at + 2] as number;
    bar.low = numbers[at + 3] as number;
    bar.close = numbers[at + 4] as number;
    bar.volume = numbers[at + 5] as number;
  }

  /** Inserts a bar, or replaces the one of the same time. Returns whether anything changed. */
  put(bar: Bar): boolean {
    const index = this.indexOf(bar.time);
    if (this.time(index) === bar.time) return this.#write(index, bar);
    this.#insert(index, 1);
    this.#write(index, bar);
    return true;
  }

  /**
   * As `put`, but of two bars of the same time the one with the larger volume wins
   * (protocol.md#joining-bars). Where the volumes are equal, the later state is the one whose
   * range holds the other's; where the ranges are equal too, `newer` says whether `bar` is later.
   */
  merge(bar: Bar, newer: boolean): boolean {
    const index = this.indexOf(bar.time);
    if (this.time(index) !== bar.time) return this.put(bar);
    this.read(index, known);
    if (bar.volume < known.volume) return false;
    if (bar.volume === known.volume) {
      if (bar.high < known.high || bar.low > known.low) return false;
      if (bar.high === known.high && bar.low === known.low && !newer) return false;
    }
    return this.#write(index, bar);
  }

  /** Merges all bars of `other`. Returns the time of the first one that changed, or Infinity. */
  mergeAll(other: Bars, newer: boolean): UnixSeconds {
    if (other.last < this.first) return this.#prepend(other);
    let changed = toUnixSeconds(Number.POSITIVE_INFINITY);
    for (let index = 0; index < other.length; index++) {
      other.read(index, incoming);
      if (this.merge(incoming, newer)) changed = earliest(changed, incoming.time);
    }
    return changed;
  }

  /** Folds `children` into bars of `period`, from the one that contains `from` to the last one before `to`. Returns the time of the first one that changed, or Infinity. */
  fold(children: Bars, period: ChartPeriod, from: UnixSeconds, to = FOREVER): UnixSeconds {
    let changed = toUnixSeconds(Number.POSITIVE_INFINITY);
    let index = children.indexOf(barStart(period, from));
    while (index < children.length && !(children.time(index) >= to)) {
      children.read(index, parent);
      const end = barEnd(period, parent.time);
      parent.time = barStart(period, parent.time);
      for (index++; children.time(index) < end; index++) {
        children.read(index, child);
        foldBar(parent, child);
      }
      if (this.put(parent)) changed = earliest(changed, parent.time);
    }
    return changed;
  }

  /** A copy of the bars from index `from` to `to` (excluded). */
  slice(from = 0, to = this.#length): Float64Array {
    return this.#numbers.slice(from * BAR_STRIDE, Math.max(from, to) * BAR_STRIDE);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Forgets all bars before the last `count`, and their memory. */
  keepLast(count: number): void {
    if (this.#length <= count) return;
    const from = (this.#length - count) * BAR_STRIDE;
    this.#numbers = this.#numbers.slice(from, this.#length * BAR_STRIDE);
    this.#length = count;
  }

  /** Moves the known bars once: one by one, each of the older bars would move all of them. */
  #prepend(older: Bars): UnixSeconds {
    this.#insert(0, older.length);
    this.#numbers.set(older.#numbers.subarray(0, older.length * BAR_STRIDE));
    return older.first;
  }

  /** Makes room for `count` bars. */
  #insert(index: number, count: number): void {
    const used = this.#length * BAR_STRIDE;
    const room = count * BAR_STRIDE;
    if (used + room > this.#numbers.length) {
      const grown = new Float64Array(Math.max(used * 2, used + room));
      grown.set(this.#numbers.subarray(0, used));
      this.#numbers = grown;
    }
    const at = index * BAR_STRIDE;
    this.#numbers.copyWithin(at + room, at, used);
    this.#length += count;
  }

  #write(index: number, bar: Bar): boolean {
    const at = index * BAR_STRIDE;
    const numbers = this.#numbers;
    const same =
      numbers[at] === bar.time &&
      numbers[at + 1] === bar.open &&
      numbers[at + 2] === bar.high &&
      numbers[at + 3] === bar.low &&
      numbers[at + 4] === bar.close &&
      numbers[at + 5] === bar.volume;
    if (same) return false;
    numbers[at] = bar.time;
    numbers[at + 1] = bar.open;
    numbers[at + 2] = bar.high;
    numbers[at + 3] = bar.low;
    numbers[at + 4] = bar.close;
    numbers[at + 5] = bar.volume;
    return true;
  }
}

/** Reused by all calls: none of these methods runs within another. */
const known = emptyBar();
const incoming = emptyBar();
const parent = emptyBar();
const child = emptyBar();
