import {
  DAY_MS,
  earliest,
  millisecondOf,
  secondOf,
  startOfStep,
  timeAfter,
  toDurationMs,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldBars, foldTick } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { PriceRange, Tick } from '../market';
import { DAY, LEVEL_OF, MINUTE } from './barNode';
import { nodeAt, nodesBefore, nodesBetween, nodesOfBarUntil, toBar } from './history';
import type { SimulatedInstrument } from './simulatedInstrument';
import { MinuteTicks, ticksOf } from './split';
import { Spread } from './spread';

const MINUTE_MS = toDurationMs(60_000);
const NO_TICKS = new MinuteTicks(0);

/** An instrument at the present: the ticks of the current minute, delivered and still due. */
export class LiveInstrument {
  readonly instrument: SimulatedInstrument;
  /** The last delivered tick; undefined where the instrument was never traded. */
  last: Tick | undefined;
  /** Open of the UTC day of the last tick. */
  open = 0;
  bar: Bar | undefined;
  private readonly points: number;
  /** Undefined where the market has no bid and ask. */
  private readonly spread: Spread | undefined;
  private minute = toUnixMs(0);
  private ticks = NO_TICKS;
  private delivered = 0;
  private prepared: MinuteTicks | undefined;

  constructor(subject: SimulatedInstrument, hasBook: boolean) {
    this.instrument = subject;
    this.spread = hasBook ? new Spread(subject.terms) : undefined;
    this.points = 10 ** subject.terms.precision;
  }

  /** When the next tick of the current minute is due; Infinity after the last. */
  get due(): UnixMs {
    const { ticks, delivered } = this;
    return delivered < ticks.count
      ? timeAfter(this.minute, toDurationMs(ticks.offset(delivered)))
      : toUnixMs(Number.POSITIVE_INFINITY);
  }

  /** Sets the state that a continuous run would have at `now`. */
  seek(now: UnixMs): void {
    this.prepared = undefined;
    this.beginMinute(startOfStep(now, MINUTE_MS));
    const [before] = nodesBefore(this.instrument, MINUTE, secondOf(this.minute), 1);
    if (before) {
      const ticks = ticksOf(this.instrument, before);
      this.last = this.toTick(ticks, ticks.count - 1, millisecondOf(before.time));
      this.open = (nodeAt(this.instrument, DAY, before.time)?.open ?? 0) / this.points;
    }
    while (this.due <= now) this.deliver();
  }

  /** Returns the next tick after updating quote and bar. */
  deliver(): Tick {
    const tick = this.toTick(this.ticks, this.delivered++, this.minute);
    const day = Math.floor(tick.time / DAY_MS);
    if (!this.last || Math.floor(this.last.time / DAY_MS) !== day) this.open = tick.price;
    this.last = tick;
    if (this.bar) foldTick(this.bar, tick.price, tick.volume);
    else this.bar = barFromTick(secondOf(this.minute), tick.price, tick.volume);
    return tick;
  }

  /** Draws the ticks of the next minute in advance. */
  prepare(): void {
    this.prepared ??= this.draw(timeAfter(this.minute, MINUTE_MS));
  }

  beginMinute(minute: UnixMs): void {
    this.ticks =
      this.prepared && minute === this.minute + MINUTE_MS ? this.prepared : this.draw(minute);
    this.prepared = undefined;
    this.minute = minute;
    this.delivered = 0;
    this.bar = undefined;
  }

  /** At most `limit` bars, oldest first; the last one contains only what has been delivered. */
  bars(period: Period, limit: number, before: UnixSeconds): Bar[] {
    const level = LEVEL_OF[period];
    const minute = secondOf(this.minute);
    const current = barStart(period, minute);
    const bars = nodesBefore(this.instrument, level, earliest(before, current), limit)
      .reverse()
      .map((node) => toBar(this.instrument, node));
    const present = current < before ? this.present(level, minute, period) : undefined;
    if (present) bars.push(present);
    return bars.slice(-limit);
  }

  /** The range of the delivered ticks after `since` and before `until`; undefined without any. */
  range(since: UnixMs, until = toUnixMs(Number.POSITIVE_INFINITY)): PriceRange | undefined {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    const addTicks = (ticks: MinuteTicks, count: number, minute: UnixMs) => {
      for (let i = 0; i < count; i++) {
        const time = minute + ticks.offset(i);
        if (time <= since || time >= until) continue;
        low = Math.min(low, ticks.price(i));
        high = Math.max(high, ticks.price(i));
      }
    };
    for (const node of nodesBetween(this.instrument, since, earliest(until, this.minute))) {
      if (node.level === MINUTE) {
        const ticks = ticksOf(this.instrument, node);
        addTicks(ticks, ticks.count, millisecondOf(node.time));
      } else {
        low = Math.min(low, node.low);
        high = Math.max(high, node.high);
      }
    }
    addTicks(this.ticks, this.delivered, this.minute);
    if (low > high) return undefined;
    const { points, spread } = this;
    return {
      low: low / points,
      high: high / points,
      ...(spread && { bidHigh: spread.bid(high) / points, askLow: spread.ask(low) / points }),
    };
  }

  private present(level: number, minute: UnixSeconds, period: Period): Bar | undefined {
    const node = nodeAt(this.instrument, level, minute);
    if (!node) return undefined;
    const closed = nodesOfBarUntil(this.instrument, node, minute).map((n) =>
      toBar(this.instrument, n),
    );
    return foldBars(this.bar ? [...closed, this.bar] : closed, period)[0];
  }

  private draw(minute: UnixMs): MinuteTicks {
    const node = nodeAt(this.instrument, MINUTE, secondOf(minute));
    return node ? ticksOf(this.instrument, node) : NO_TICKS;
  }

  private toTick(ticks: MinuteTicks, index: number, minute: UnixMs): Tick {
    const { points, spread } = this;
    const price = ticks.price(index);
    return {
      instrumentId: this.instrument.terms.id,
      price: price / points,
      ...(spread && { bid: spread.bid(price) / points, ask: spread.ask(price) / points }),
      volume: ticks.volume(index),
      time: timeAfter(minute, toDurationMs(ticks.offset(index))),
    };
  }
}
