import {
  type DurationMs,
  earliest,
  millisecondOf,
  secondOf,
  timeAfter,
  timeBefore,
  toDurationMs,
  toSeconds,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import { type Bar, barStart } from '#domain/market/kline';
import {
  Plausibility,
  type PlausibilityLimits,
  type PricePoint,
} from '#domain/market/plausibility';
import { getOrInsert } from '../../core/getOrInsert';
import type { ToldBy } from '../../db/schema/market';
import type { Tick } from '../market';
import type { PriceGate } from '../priceGate';
import type { LiveTrade } from './codec';
import { OpenMinute } from './minuteBuilder';
import type { Source } from './source';

const MINUTE = toSeconds(60);
const MINUTE_MS = toDurationMs(60_000);
/** A minute closes so long after its end: late trades are in it. */
const SETTLE_MS = toDurationMs(2_000);
/** A trade further in the future is a wrong message. */
const MOST_AHEAD = toDurationMs(60_000);

/** A price of an exchange that stands by is compared with no later one. */
const COMPARED_WITHIN = toDurationMs(10_000);

/** A trade; undefined: the price of the exchange's bars. */
interface TradePoint extends PricePoint {
  trade: LiveTrade | undefined;
}

/** What stands between the messages of the exchanges and the tracks. */
export interface TrackGates {
  limits: PlausibilityLimits;
  trades: PriceGate<TradePoint>;
  topsOfBook: PriceGate<PricePoint>;
}

/** What a track tells, in order. */
export interface TrackSink {
  tick(tick: Tick): void;
  /** A trade that counts in a bar. */
  trade(id: number, trade: LiveTrade): void;
  /** A trade of a minute that is over has come: it counts nowhere. */
  late?(id: number): void;
  /** A minute is over. `whole`: it has what its trades do not tell, from the exchange's klines. `counted`: what of it orders may know. */
  closed(id: number, bar: Bar, whole: boolean, counted: Bar): void;
  /**
   * Prices come again, after minutes that no tick told (`missed`). `open`: what klines tell of the one that is not over, where
   * that is more than ticks have told.
   */
  filled(id: number, missed: boolean, open: Bar | undefined): void;
  status(id: number): void;
  /** The best bid and ask have changed. */
  topOfBook(id: number): void;
  /** Minutes from one time to another were missed, and are more than one call of the exchange tells. */
  gap(id: number, from: UnixSeconds, until: UnixSeconds): void;
}

/** One instrument of the live market: its price, its open minutes, and whether it can be traded. */
export class Track {
  readonly id: number;
  readonly code: string;
  /** Sources that list it and whose connection lives, since when by the process's clock. */
  readonly ready = new Map<Source, DurationMs>();
  /** Where its prices come from; undefined while there is none. */
  active: Source | undefined;
  /** Counts the times at which its prices began to come anew: what was asked before is void. */
  generation = 0;
  isOpen = false;
  /** Since when there are no prices. */
  downSince: UnixMs;
  /** The exchange whose prices stopped then, in this run or an earlier one; undefined before the first ones. */
  out: string | undefined;
  price: number | undefined;
  time = toUnixMs(0);
  bid: number | undefined;
  ask: number | undefined;
  /** When bid and ask came or were last confirmed, by the exchange's clock. */
  topOfBookTime = toUnixMs(0);
  /** All minutes before are closed. */
  filledUntil: UnixSeconds;
  /** Nothing is known of it from before. */
  isNew: boolean;
  /** A kline that decides about a minute is being read. */
  confirming = false;
  /** Volume that was not told yet, as it came late. */
  private untold = 0;
  /** Whose trades the open minutes have. */
  private tradesOf: Source | undefined;
  /** The newest minute in which prices of two exchanges were told. */
  sharedMinute = toUnixSeconds(0);
  /** Close of the last closed minute. */
  private lastClose: number | undefined;
  /** The same, of what counted of it. */
  private countedClose: number | undefined;
  /** Its exchange's bars open at the close of the last one. */
  private opensAtClose = false;
  /** Trades since then are complete. */
  private completeSince = toUnixMs(Number.POSITIVE_INFINITY);
  private readonly minutes = new Map<UnixSeconds, OpenMinute>();
  private readonly sink: TrackSink;
  private readonly gates: TrackGates | undefined;
  /** Trades that are held: a repeated one confirms nothing. */
  private readonly heldIds = new Set<string>();
  private readonly standbys = new Map<Source, Plausibility<PricePoint>>();
  /** The latest price of an exchange that stands by. */
  private elsewhere: Pick<PricePoint, 'price' | 'time'> | undefined;

  constructor(
    id: number,
    code: string,
    sink: TrackSink,
    downSince: UnixMs,
    filledUntil: UnixSeconds,
    isNew: boolean,
    gates?: TrackGates,
  ) {
    this.id = id;
    this.code = code;
    this.sink = sink;
    this.downSince = downSince;
    this.filledUntil = filledUntil;
    this.isNew = isNew;
    this.gates = gates;
  }

  /** Whether its latest price or top of the book has to be confirmed. */
  get isInDoubt(): boolean {
    const { gates, id } = this;
    return gates !== undefined && (gates.trades.isHalted(id) || gates.topsOfBook.isHalted(id));
  }

  /** The newest open minute. */
  get current(): Bar | undefined {
    return this.open.at(-1);
  }

  /** Minutes that are not closed, oldest first. */
  get open(): Bar[] {
    let last = this.lastClose;
    return [...this.minutes.values()]
      .filter((minute) => !minute.isEmpty)
      .sort((a, b) => a.bar.time - b.bar.time)
      .map((minute) => {
        const bar = this.asExchange(minute, last);
        last = bar.close;
        return bar;
      });
  }

  /** The bar of a minute as the exchange has it. */
  private asExchange({ bar, hasKline }: OpenMinute, last: number | undefined): Bar {
    if (!this.opensAtClose || hasKline || last === undefined) return { ...bar };
    return { ...bar, open: last, high: Math.max(bar.high, last), low: Math.min(bar.low, last) };
  }

  /**
   * No trade before the returned time will come any more, and no minute that ends before it. All that its source has said
   * until `now` has come. A minute of which trades were missed waits for the exchange's kline.
   */
  settledUntil(now: UnixMs): UnixMs {
    const settled = timeBefore(now, SETTLE_MS);
    if (this.isOpen && !this.isIncomplete(this.filledUntil)) return settled;
    const end = timeAfter(millisecondOf(this.filledUntil), MINUTE_MS);
    return earliest(settled, timeBefore(end, toDurationMs(1)));
  }

  /** The last price of an earlier run. */
  restore(price: number, time: UnixMs): void {
    this.price = this.lastClose = this.countedClose = price;
    this.time = time;
    this.gates?.trades.restore(this.id, price, time);
  }

  /** Whose prices an earlier run has told, and until when. */
  restoreExchange({ exchange, shared }: ToldBy, toldUntil: UnixMs): void {
    this.out = exchange;
    this.sharedMinute = toUnixSeconds(shared);
    this.downSince = toldUntil;
  }

  /** A source's trades begin to come, after its answer to the subscription. */
  begin(source: Source): void {
    this.generation++;
    this.active = source;
    this.completeSince = source.time.now();
    this.confirming = false;
    // No bar has prices of two exchanges, not even while it is open.
    if (this.tradesOf && this.tradesOf !== source) this.minutes.clear();
    this.tradesOf = source;
    if (this.out && this.out !== source.codec.key) this.sharedMinute = minuteOf(this.downSince);
    // What is here of open minutes is another connection's: klines decide.
    for (const minute of this.minutes.values()) minute.incomplete = true;
  }

  /** Whether a bar may have prices that an exchange had while those of another one were told. */
  isShared({ time }: Bar): boolean {
    return time <= this.sharedMinute;
  }

  /** No trades come any more. */
  lose(): void {
    this.generation++;
    const { active } = this;
    this.active = undefined;
    this.confirming = false;
    this.completeSince = toUnixMs(Number.POSITIVE_INFINITY);
    this.bid = this.ask = undefined;
    this.gates?.trades.release(this.id);
    this.gates?.topsOfBook.release(this.id);
    if (!this.isOpen) return;
    this.isOpen = false;
    this.out = active?.codec.key;
    if (active) this.downSince = active.time.now();
    this.sink.status(this.id);
  }

  topOfBook(bid: number, ask: number, now: UnixMs): void {
    const point = { price: (bid + ask) / 2, time: now, bid, ask };
    const isKnown = bid > 0 && ask > 0;
    const accepted =
      this.gates && isKnown
        ? this.turning(() => this.gates?.topsOfBook.judge(this.id, point) ?? [])
        : [point];
    // Of those that were held the last one stands.
    if (accepted.length > 0) this.setTopOfBook(bid, ask, now);
  }

  private setTopOfBook(bid: number, ask: number, now: UnixMs): void {
    this.topOfBookTime = now;
    if (this.bid === bid && this.ask === ask) return;
    this.bid = bid;
    this.ask = ask;
    if (this.isOpen) this.sink.topOfBook(this.id);
  }

  trade(trade: LiveTrade, now: UnixMs): void {
    // The exchange's clock is that of its last messages: where these are rare and it runs fast, it is late.
    if (trade.time > timeAfter(toUnixMs(Math.max(now, this.time)), MOST_AHEAD)) return;
    for (const each of this.judge(trade)) this.take(each);
  }

  /** A trade of an exchange that stands by: prices of this one must not be far from it. */
  standBy(source: Source, { price, time }: LiveTrade): void {
    const { gates } = this;
    if (!gates) return;
    const judge = getOrInsert(this.standbys, source, () => new Plausibility(gates.limits));
    const latest = judge.judge({ price, time }).accepted.at(-1);
    if (latest) this.elsewhere = latest;
  }

  /** The trades that count now: this one, none, or those that it confirms too. */
  private judge(trade: LiveTrade): readonly LiveTrade[] {
    const { gates, id, heldIds, elsewhere } = this;
    if (!gates) return [trade];
    const minute = this.minutes.get(barStart('1min', secondOf(trade.time)));
    if (heldIds.has(trade.id) || minute?.has(trade.id)) return [];
    const { price, time } = trade;
    const isFresh = elsewhere && Math.abs(time - elsewhere.time) <= COMPARED_WITHIN;
    const point = { price, time, trade, ...(isFresh && { elsewhere: elsewhere.price }) };
    const accepted = this.turning(() => gates.trades.judge(id, point));
    if (gates.trades.isHalted(id)) heldIds.add(trade.id);
    else heldIds.clear();
    return accepted.flatMap((each) => each.trade ?? []);
  }

  /** Tells when `judge` begins or ends a halt, before what it accepts. */
  private turning<T>(judge: () => T): T {
    const { isInDoubt } = this;
    const judged = judge();
    if (this.isInDoubt !== isInDoubt && this.isOpen) this.sink.status(this.id);
    return judged;
  }

  private take(trade: LiveTrade): void {
    const start = barStart('1min', secondOf(trade.time));
    if (start >= this.filledUntil) {
      let minute = this.minutes.get(start);
      if (!minute) {
        minute = new OpenMinute(start);
        minute.incomplete = millisecondOf(start) < this.completeSince;
        this.minutes.set(start, minute);
      }
      if (!minute.add(trade)) return;
      if (!trade.past) this.sink.trade(this.id, trade);
    } else if (!trade.past || trade.time <= this.time) {
      if (!trade.past) this.sink.late?.(this.id);
      return;
    }
    if (trade.time < this.time) {
      if (!trade.past) this.untold += trade.volume;
      return;
    }
    this.price = trade.price;
    this.time = trade.time;
    // A trade between bid and ask says that they still stand.
    const within = (this.bid ?? 0) <= trade.price && trade.price <= (this.ask ?? 0);
    if (within) this.topOfBookTime = toUnixMs(Math.max(this.topOfBookTime, trade.time));
    if (this.isOpen) this.tell(trade.past ? 0 : trade.volume);
  }

  private tell(volume: number): void {
    if (this.price === undefined) return;
    const { id, price, time, untold } = this;
    this.untold = 0;
    this.sink.tick({ instrumentId: id, price, volume: volume + untold, time });
  }

  /** Takes over bars of the exchange from `filledUntil` on, asked for at `until`, and opens. */
  fill(bars: readonly Bar[], until: UnixMs): void {
    const settled = settledStart(until);
    const come = this.active?.time.now() ?? until;
    this.opensAtClose = this.active?.codec.mayOpenAtClose === true && openAtClose(bars);
    const missed = bars.some(({ time }) => time >= this.filledUntil && time < settled);
    this.closeFrom(bars, settled);
    let open: Bar | undefined;
    for (const [index, bar] of bars.entries()) {
      if (bar.time < settled) continue;
      const minute = this.minutes.get(bar.time) ?? new OpenMinute(bar.time);
      const { high, low } = minute.bar;
      if (minute.isEmpty || bar.high > high || bar.low < low) {
        open = this.counted(bar, bars[index + 1]);
      }
      minute.begin(bar, come);
      this.minutes.set(bar.time, minute);
    }
    const last = bars.at(-1);
    // A trade has its own time; of a kline only the minute is known.
    if (last && last.time >= minuteOf(this.time)) {
      const current = this.minutes.get(last.time);
      const time = toUnixMs(Math.max(this.time, millisecondOf(last.time)));
      this.takeOver(current?.bar.close ?? last.close, time);
    }
    this.untold = 0;
    this.isOpen = true;
    this.sink.filled(this.id, missed, open);
    this.isNew = false;
    this.sink.status(this.id);
    if (!this.isInDoubt) this.tell(0);
  }

  /** The price of the exchange's bars: a wrong trade may be their last one. */
  private takeOver(price: number, time: UnixMs): void {
    const { gates, id } = this;
    this.heldIds.clear();
    if (gates?.trades.judge(id, { price, time, trade: undefined }).length === 0) return;
    this.price = price;
    this.time = time;
  }

  /**
   * What of a minute orders may know (`Market.priceRange`): where it has a price that would be in doubt before and after it, nothing
   * but its surroundings, as trailing stops would follow a spike.
   */
  private counted(bar: Bar, next?: Bar): Bar {
    const limit = this.gates?.trades.limit(this.id);
    const before = this.countedClose;
    this.countedClose = bar.close;
    if (limit === undefined || before === undefined) return bar;
    const after = next?.open ?? this.price ?? before;
    const [least, most] = [Math.min(before, after), Math.max(before, after)];
    const isPlausible = bar.low >= least * (1 - limit) && bar.high <= most * (1 + limit);
    if (isPlausible) return bar;
    this.countedClose = after;
    return { ...bar, open: before, close: after, low: least, high: most };
  }

  /** Minutes before are not to be had from one call: they are left out. */
  skipUntil(start: UnixSeconds): void {
    if (start <= this.filledUntil) return;
    this.sink.gap(this.id, this.filledUntil, start);
    for (const minute of this.minutes.keys()) if (minute < start) this.minutes.delete(minute);
    this.filledUntil = start;
  }

  /** Closes minutes from the exchange's klines, asked for at `until`. */
  confirm(bars: readonly Bar[], until: UnixMs): void {
    this.closeFrom(bars, settledStart(until));
  }

  private closeFrom(bars: readonly Bar[], settled: UnixSeconds): void {
    for (const [index, bar] of bars.entries()) {
      if (bar.time < this.filledUntil || bar.time >= settled) continue;
      const counted = this.counted(bar, bars[index + 1]);
      this.lastClose = bar.close;
      this.sink.closed(this.id, bar, true, counted);
    }
    for (const start of this.minutes.keys()) if (start < settled) this.minutes.delete(start);
    if (settled > this.filledUntil) this.filledUntil = settled;
  }

  /**
   * Closes minutes that are over at `now`; all that its source has said until then has come. True where the exchange's
   * klines have to decide about the next one.
   */
  settle(now: UnixMs): boolean {
    const settled = settledStart(now);
    while (this.filledUntil < settled) {
      if (this.isIncomplete(this.filledUntil)) return true;
      const minute = this.minutes.get(this.filledUntil);
      if (minute && !minute.isEmpty) {
        const bar = this.asExchange(minute, this.lastClose);
        const counted = this.counted(bar);
        this.lastClose = bar.close;
        this.sink.closed(this.id, bar, this.opensAtClose, counted);
      }
      this.minutes.delete(this.filledUntil);
      this.filledUntil = timeAfter(this.filledUntil, MINUTE);
    }
    return false;
  }

  private isIncomplete(start: UnixSeconds): boolean {
    return (
      millisecondOf(start) < this.completeSince || this.minutes.get(start)?.incomplete === true
    );
  }
}

/** Fewer bars may open so by chance. */
const LEAST_BARS = 30;

/** Whether each bar opens at the close of the one before. */
function openAtClose(bars: readonly Bar[]): boolean {
  const later = bars.slice(1);
  return (
    later.length >= LEAST_BARS && later.every(({ open }, index) => open === bars[index]?.close)
  );
}

/** The first minute that may still change at `now`. */
function settledStart(now: UnixMs): UnixSeconds {
  return toUnixSeconds(Math.floor((now - SETTLE_MS) / MINUTE_MS) * MINUTE);
}

export function minuteOf(time: UnixMs): UnixSeconds {
  return barStart('1min', secondOf(time));
}
