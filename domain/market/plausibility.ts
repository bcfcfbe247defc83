import { type DurationMs, timeAfter, toDurationMs, type UnixMs } from '../core/time';

/** Beyond which a price has to be confirmed by the next ones (domain.md#implausible-prices). */
export interface PlausibilityLimits {
  /** Times the usual range of a minute that a price may jump; 0: every price is plausible. */
  jump: number;
  /** The share of the price that a jump or a spread may always have. */
  floor: number;
  /** Times the usual spread. */
  spread: number;
  /** Times the usual time between two prices, after which a price may jump half as far, and nobody trades at the last one. */
  silence: number;
  /** Prices that must agree with one that is in doubt. */
  confirmations: number;
}

/** Why a price is in doubt. `source`: another source has another price. */
export type Doubt = 'jump' | 'spread' | 'silence' | 'source';

/** One price of a source, above 0, and what is known of its moment. */
export interface PricePoint {
  price: number;
  time: UnixMs;
  bid?: number | undefined;
  ask?: number | undefined;
  /** Of a whole minute that ends at `price`. */
  low?: number | undefined;
  high?: number | undefined;
  /** The price that another source has at this time. */
  elsewhere?: number | undefined;
}

interface Verdict<T> {
  /** What counts now, in order: the price itself, or what it confirms and itself. */
  accepted: readonly T[];
  /** What was in doubt and never counts. */
  dropped: readonly T[];
}

const MINUTE_MS = toDurationMs(60_000);
/** Usual is the mean of about so many minutes, and of so many prices. */
const MINUTES = 30;
const PRICES = 256;
/** Fewer say little of what is usual. */
const FEW_MINUTES = 5;
/** One message may hold several wrong prices: those that confirm come at least so much later. */
const CONFIRMED_AFTER = toDurationMs(1_000);
/** A shorter silence is none. */
const SHORTEST_SILENCE = MINUTE_MS;
/** Fewer times between prices say nothing of what is usual. */
const FEW_GAPS = 5;
/** A confirmed spread may grow by this without being in doubt again. */
const CONFIRMED_SPREAD = 1.5;
/** Held prices are few; a source that floods with them must not fill the memory. */
const MOST_HELD = 1_000;

/**
 * Judges the prices of one instrument by those before. A price that is too far from the last one is held, and with it all that
 * agree with it, until enough of them confirm it, or a plausible one shows that they were wrong. It knows no clock but the times of
 * the prices. Pure: equal prices, equal verdicts.
 */
export class Plausibility<T extends PricePoint> {
  private readonly limits: PlausibilityLimits;
  private last: Pick<PricePoint, 'price' | 'time'> | undefined;
  private held: T[] = [];
  private heldFor: Doubt | undefined;
  /** Of the minutes in which there were prices, as a share of the price. */
  private readonly range = new Mean(MINUTES);
  private readonly spread = new Mean(PRICES);
  private readonly gap = new Mean(PRICES);
  private low = 0;
  private high = 0;
  /** How this source's price relates to that of another one. */
  private ratio: number | undefined;

  constructor(limits: PlausibilityLimits) {
    this.limits = limits;
  }

  /** Why the latest price does not count yet; undefined: it does. */
  get doubt(): Doubt | undefined {
    return this.heldFor;
  }

  /** The last price that counts. */
  get price(): number | undefined {
    return this.last?.price;
  }

  /** Until when of the market's clock the last price is good to trade at; undefined where that is not known. */
  get freshUntil(): UnixMs | undefined {
    if (!this.last || this.gap.count < FEW_GAPS) return undefined;
    return timeAfter(this.last.time, this.silence);
  }

  /** How far the next price may be from the last one, as a share of it. */
  get limit(): number {
    const { jump, floor } = this.limits;
    // What is usual is not known yet.
    const least = this.range.count < FEW_MINUTES ? 1.5 * floor : floor;
    return Math.max(least, jump * this.range.value);
  }

  /** Starts from a price that counts, as the last one of an earlier run or connection. */
  restore(price: number, time: UnixMs): void {
    this.release();
    this.last = { price, time };
    this.low = this.high = price;
    this.ratio = undefined;
  }

  /** Forgets what is held: its source is gone, and nothing will confirm it. */
  release(): void {
    this.held = [];
    this.heldFor = undefined;
  }

  /** Whether `judge` of this price begins or ends the doubt. */
  turns(point: T): boolean {
    if (this.limits.jump === 0 || this.isLate(point)) return false;
    const doubt = this.doubtOf(point);
    if (!this.heldFor) return doubt !== undefined;
    return !doubt || this.isConfirmed(point);
  }

  judge(point: T): Verdict<T> {
    if (this.limits.jump === 0) return { accepted: [point], dropped: [] };
    const doubt = this.doubtOf(point);
    // Of the past it says nothing about the present.
    if (this.isLate(point)) {
      return doubt ? { accepted: [], dropped: [point] } : { accepted: [point], dropped: [] };
    }
    const { held } = this;
    if (!doubt) {
      this.accept(point);
      return { accepted: [point], dropped: held };
    }
    if (!this.heldFor || !this.agrees(point)) {
      this.held = [point];
      this.heldFor = doubt;
      return { accepted: [], dropped: held };
    }
    if (!this.isConfirmed(point)) {
      held.push(point);
      // The first one tells since when.
      const dropped = held.length > MOST_HELD ? held.splice(1, 1) : [];
      return { accepted: [], dropped };
    }
    for (const [index, each] of held.entries()) {
      this.accept(each);
      // A jump is no usual range of a minute: once it was confirmed, wrong prices would pass.
      if (index === 0) this.low = this.high = each.price;
    }
    this.accept(point);
    this.confirmSpread(point);
    return { accepted: [...held, point], dropped: [] };
  }

  private doubtOf(point: T): Doubt | undefined {
    const { last, limit } = this;
    if (last) {
      const move = farthest(point, last.price);
      // Not "greater": what is no number is not plausible.
      if (!(move <= limit)) return 'jump';
      if (point.time - last.time > this.silence && move > limit / 2) return 'silence';
    }
    if (!this.isSpreadUsual(point)) return 'spread';
    const { price, elsewhere } = point;
    if (elsewhere === undefined || this.ratio === undefined) return undefined;
    return distance(price, elsewhere * this.ratio) <= limit ? undefined : 'source';
  }

  private get silence(): DurationMs {
    return toDurationMs(Math.max(SHORTEST_SILENCE, this.limits.silence * this.gap.value));
  }

  private isSpreadUsual(point: T): boolean {
    const spread = spreadOf(point);
    if (spread === undefined) return true;
    const { floor, spread: times } = this.limits;
    return spread >= 0 && spread <= Math.max(floor, times * this.spread.value);
  }

  /** Whether a price says the same as the one before it, which is in doubt. */
  private agrees(point: T): boolean {
    const latest = this.held.at(-1);
    if (!latest || !(farthest(point, latest.price) <= this.limit)) return false;
    if (this.isSpreadUsual(point)) return true;
    // A bid above its ask is wrong however often it comes.
    const [spread, before] = [spreadOf(point) ?? 0, spreadOf(latest) ?? 0];
    return spread >= 0 && before >= 0 && spread <= CONFIRMED_SPREAD * before;
  }

  private isConfirmed(point: T): boolean {
    const [first] = this.held;
    if (!first || !this.agrees(point)) return false;
    return (
      this.held.length >= this.limits.confirmations && point.time - first.time >= CONFIRMED_AFTER
    );
  }

  private isLate({ time }: T): boolean {
    const since = this.held[0]?.time ?? this.last?.time;
    return since !== undefined && time < since;
  }

  private accept(point: T): void {
    const { price, time, elsewhere } = point;
    const { last } = this;
    this.release();
    if (last && Math.floor(time / MINUTE_MS) > Math.floor(last.time / MINUTE_MS)) {
      this.range.add((this.high - this.low) / this.low);
      this.low = this.high = last.price;
    }
    if (last) this.gap.add(time - last.time);
    this.low = Math.min(last ? this.low : price, point.low ?? price);
    this.high = Math.max(last ? this.high : price, point.high ?? price);
    const spread = spreadOf(point);
    if (spread !== undefined) this.spread.add(spread);
    if (elsewhere !== undefined) this.ratio = price / elsewhere;
    this.last = { price, time };
  }

  /** It is the usual one from now on, or else the next price would be in doubt again. */
  private confirmSpread(point: T): void {
    const usual = (CONFIRMED_SPREAD * (spreadOf(point) ?? 0)) / this.limits.spread;
    this.spread.value = Math.max(this.spread.value, usual);
  }
}

/** A mean that follows its last values, some `most` of them; 0 before the first. */
class Mean {
  value = 0;
  count = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(value: number): void {
    this.count = Math.min(this.count + 1, this.most);
    this.value += (value - this.value) / this.count;
  }
}

function distance(price: number, from: number): number {
  return Math.abs(price / from - 1);
}

/** How far a price, and all that its minute had, is from another one. */
function farthest({ price, low, high }: PricePoint, from: number): number {
  return Math.max(
    distance(price, from),
    distance(low ?? price, from),
    distance(high ?? price, from),
  );
}

/** As a share of the price. */
function spreadOf({ price, bid, ask }: PricePoint): number | undefined {
  return bid === undefined || ask === undefined ? undefined : (ask - bid) / price;
}
