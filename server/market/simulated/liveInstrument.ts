import type { UnixMs, UnixSeconds } from '#domain/core/units';
import {
  type Bar,
  barFromTick,
  foldBars,
  foldTick,
  PERIOD_SECONDS,
  type Period,
} from '#domain/market/kline';
import type { Tick } from '../market';
import { DAY, LEVEL_OF, MINUTE } from './barNode';
import { nodeAt, nodesBefore, nodesOfBarUntil, toBar } from './history';
import type { SimulatedInstrument } from './simulatedInstrument';
import { type MinuteTick, ticksOf } from './split';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** An instrument at the present: the ticks of the current minute, delivered and still due. */
export class LiveInstrument {
  readonly instrument: SimulatedInstrument;
  /** The last delivered tick; undefined where the instrument was never traded. */
  last: Tick | undefined;
  /** Open of the UTC day of the last tick. */
  open = 0;
  bar: Bar | undefined;
  private readonly points: number;
  private minute: UnixMs = 0;
  private ticks: MinuteTick[] = [];
  private delivered = 0;
  private prepared: MinuteTick[] | undefined;

  constructor(subject: SimulatedInstrument) {
    this.instrument = subject;
    this.points = 10 ** subject.listing.precision;
  }

  /** When the next tick of the current minute is due; Infinity after the last. */
  get due(): UnixMs {
    const next = this.ticks[this.delivered];
    return next ? this.minute + next.offset : Number.POSITIVE_INFINITY;
  }

  /** Sets the state that a continuous run would have at `now`. */
  seek(now: UnixMs): void {
    this.prepared = undefined;
    this.beginMinute(Math.floor(now / MINUTE_MS) * MINUTE_MS);
    const [before] = nodesBefore(this.instrument, MINUTE, this.minute / 1000, 1);
    if (before) {
      const tick = ticksOf(this.instrument, before).at(-1) as MinuteTick;
      this.last = this.toTick(tick, before.time * 1000);
      this.open = (nodeAt(this.instrument, DAY, before.time)?.open ?? 0) / this.points;
    }
    while (this.due <= now) this.deliver();
  }

  /** Returns the next tick after updating quote and bar. */
  deliver(): Tick {
    const tick = this.toTick(this.ticks[this.delivered++] as MinuteTick, this.minute);
    const day = Math.floor(tick.time / DAY_MS);
    if (!this.last || Math.floor(this.last.time / DAY_MS) !== day) this.open = tick.price;
    this.last = tick;
    if (this.bar) foldTick(this.bar, tick.price, tick.volume);
    else this.bar = barFromTick(this.minute / 1000, tick.price, tick.volume);
    return tick;
  }

  /** Draws the ticks of the next minute in advance. */
  prepare(): void {
    this.prepared ??= this.draw(this.minute + MINUTE_MS);
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
    const minute = this.minute / 1000;
    const current = Math.floor(minute / PERIOD_SECONDS[period]) * PERIOD_SECONDS[period];
    const bars = nodesBefore(this.instrument, level, Math.min(before, current), limit)
      .reverse()
      .map((node) => toBar(this.instrument, node));
    const present = current < before ? this.present(level, minute, period) : undefined;
    if (present) bars.push(present);
    return bars.slice(-limit);
  }

  private present(level: number, minute: UnixSeconds, period: Period): Bar | undefined {
    const node = nodeAt(this.instrument, level, minute);
    if (!node) return undefined;
    const closed = nodesOfBarUntil(this.instrument, node, minute).map((n) =>
      toBar(this.instrument, n),
    );
    return foldBars(this.bar ? [...closed, this.bar] : closed, period)[0];
  }

  private draw(minute: UnixMs): MinuteTick[] {
    const node = nodeAt(this.instrument, MINUTE, minute / 1000);
    return node ? ticksOf(this.instrument, node) : [];
  }

  private toTick(tick: MinuteTick, minute: UnixMs): Tick {
    return {
      instrumentId: this.instrument.listing.id,
      price: tick.price / this.points,
      volume: tick.volume,
      time: minute + tick.offset,
    };
  }
}
