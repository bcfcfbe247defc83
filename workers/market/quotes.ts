import type { ListedInstrument } from '#domain/api/read-market';
import { emptyTick, readCompactTick, readTick, type Tick } from '#domain/api/socket';
import { timeBetween, toUnixMs, type UnixMs } from '#domain/core/time';
import { changeNumber } from '#domain/market/change';
import { isBetweenSteps } from '#domain/market/decimals';
import type { Quote } from '#domain/market/instrument';
import type { TopOfBook } from '#domain/market/topOfBook';
import { QUOTE, QUOTE_MARKET_OPEN, QUOTE_STALE, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { STALE_MS } from '../connection/connectionTracker';
import type { Clock } from '../core/ports';

/** The index of an instrument in the table. */
export type Slot = number;

/** Called with each change of the price or the market status of one instrument. */
export type QuoteListener = (slot: Slot) => void;

const OPEN = 1;
/** On screen: changes go into the next frame. */
const WATCHED = 2;
/** Changed since the last frame. */
const CHANGED = 4;
/** Part of the present subscription. */
const SUBSCRIBED = 8;
/** Refreshed since it was subscribed, so that silence means: no change. */
const CONFIRMED = 16;
/** Not refreshed since a reconnect, or only known from storage. */
const UNREFRESHED = 32;
/** Not in the list any more: closed, whatever its ticks say. */
const DELISTED = 64;
/** Bid and ask are those of before a reconnect: neither a list nor a push has told a side since. */
const OLD_BOOK = 128;

/** Numbers for each slot, and their offsets. */
const STRIDE = 8;
const ID = 0;
const CLOSE = 1;
const OPENED_AT = 2;
const CHANGE = 3;
const TIME = 4;
/** The newest time of the code. A tick without a time keeps it. */
const NEWEST = 5;
const ARRIVED = 6;
/** Steps of its price in 1; negative where prices are finer than the list says, and the list was asked. */
const STEPS = 7;

export interface QuotesOptions {
  clock: Clock;
  /** Whether the connection is proven: something was received lately. */
  proven: () => boolean;
  /** A watched quote has changed. */
  changed: () => void;
  /** A price has moved, watched or not. Called once for each message. */
  moved: () => void;
  /** The market of an instrument opened or closed. */
  marketChanged: () => void;
  /** A tick says why an instrument is closed; empty: there is no reason. */
  reasonTold: (slot: Slot, reason: string) => void;
  /** A price has more decimals than the list says of its instrument: told once for what the list says. */
  finer: () => void;
  /** Called with the newest time in a message. */
  newest: (time: UnixMs) => void;
}

/**
 * The table of quotes: the latest of each instrument, in typed arrays. A tick
 * costs one look-up, however many instruments there are (architecture.md#a-tick).
 */
export class Quotes {
  readonly #options: QuotesOptions;
  /** By code, and by id, which compact rows carry instead. */
  readonly #slots = new Map<string | number, Slot>();
  readonly #tick: Tick = emptyTick();
  /** The best bid and ask by instrument, where the feed has them. */
  readonly topsOfBook = new Map<number, TopOfBook>();
  /** Called with the instrument whose bid and ask have changed. */
  readonly topOfBookListeners = new Set<(instrumentId: number) => void>();
  #listeners: (QuoteListener[] | undefined)[] = [];
  #size = 0;
  /** STRIDE numbers for each slot, so that a tick touches one line of the cache. */
  #numbers = new Float64Array(0);
  #bits = new Uint8Array(0);
  /** Slots for the next frame. */
  #changedSlots: Slot[] = [];
  /** The newest time of all instruments: detects a market whose clock was set back. */
  #newestOfAll = Number.NaN;
  #moved = false;

  constructor(options: QuotesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  slot(code: string): Slot | undefined {
    return this.#slots.get(code);
  }

  /** The slot of an instrument; a new one where it has none. `precision`: what the list says of it. */
  add(id: number, code: string, precision?: number): Slot {
    const slot = this.#add(id, code);
    const steps = precision === undefined ? Number.NaN : 10 ** precision;
    if (steps > 0 && this.#at(slot, STEPS) !== -steps) this.#numbers[slot * STRIDE + STEPS] = steps;
    return slot;
  }

  #add(id: number, code: string): Slot {
    const known = this.#slots.get(code);
    if (known !== undefined) {
      this.#bits[known] = (this.#bits[known] ?? 0) & ~DELISTED;
      this.#numbers[known * STRIDE + ID] = id;
      this.#slots.set(id, known);
      return known;
    }
    const slot = this.#size;
    if (slot === this.#bits.length) this.#grow(Math.max(64, slot * 2));
    this.#size += 1;
    this.#slots.set(code, slot);
    this.#slots.set(id, slot);
    this.#numbers.fill(Number.NaN, slot * STRIDE, (slot + 1) * STRIDE);
    this.#numbers[slot * STRIDE + ID] = id;
    this.#bits[slot] = UNREFRESHED;
    return slot;
  }

  /** The instrument has left the list. */
  delist(slot: Slot): void {
    const bits = this.#bits[slot] ?? 0;
    this.#bits[slot] = (bits & ~OPEN) | DELISTED;
    this.#mark(slot);
    if (bits & OPEN) this.#options.marketChanged();
  }

  #grow(capacity: number): void {
    const numbers = new Float64Array(capacity * STRIDE);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const bits = new Uint8Array(capacity);
    bits.set(this.#bits);
    this.#bits = bits;
  }

  /** Applies the payload of DAY_MARKET. Rows that are malformed, unknown or older than the known quote are dropped. */
  applyTicks(payload: unknown): void {
    this.#apply(Array.isArray(payload) ? payload : [payload], false);
  }

  /** Applies the payload of DM, as `applyTicks` does (protocol.md#compact-quotes). */
  applyCompactTicks(payload: unknown): void {
    if (Array.isArray(payload)) this.#apply(payload, true);
  }

  #apply(rows: readonly unknown[], compact: boolean): void {
    const now = this.#options.clock.now();
    let newest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rows.length; i++) {
      const time = this.#applyTick(this.#readRow(rows[i], compact), now);
      if (time > newest) newest = time;
    }
    this.applied();
    if (newest > 0) {
      if (!(newest <= this.#newestOfAll)) this.#newestOfAll = newest;
      this.#options.newest(toUnixMs(newest));
    }
  }

  /** A message or a list was applied. */
  applied(): void {
    if (this.#moved) this.#options.moved();
    this.#moved = false;
  }

  /** Reads a row into `#tick`. Undefined for a malformed one, or one of an unknown instrument. */
  #readRow(row: unknown, compact: boolean): Slot | undefined {
    const tick = this.#tick;
    const key = compact ? readCompactTick(row, tick) : readTick(row, tick);
    return key === undefined ? undefined : this.#slots.get(key);
  }

  /** Applies `#tick`. Returns its time; NaN where it has none or was dropped. */
  #applyTick(slot: Slot | undefined, now: UnixMs): number {
    const tick = this.#tick;
    if (slot === undefined || tick.time < this.#at(slot, NEWEST)) return Number.NaN;
    const bits = this.#bits[slot] ?? 0;
    const open = (tick.marketOpen ?? (bits & OPEN) !== 0) && !(bits & DELISTED);
    const confirmed = bits & SUBSCRIBED ? CONFIRMED : 0;
    this.#put(slot, tick.close, tick.open, tick.change, tick.time, open, confirmed, now);
    this.#putTopOfBook(slot, tick);
    if (tick.closedReason !== undefined) this.#options.reasonTold(slot, tick.closedReason);
    return tick.time;
  }

  /** Applies bid and ask, each by itself. */
  #putTopOfBook(slot: Slot, { bid, ask }: TopOfBook): void {
    if (!(bid >= 0 || ask >= 0)) return;
    this.#bits[slot] = (this.#bits[slot] ?? 0) & ~OLD_BOOK;
    const id = this.#at(slot, ID);
    const before = this.topsOfBook.get(id);
    const topOfBook = { bid: sideOf(bid, before?.bid), ask: sideOf(ask, before?.ask) };
    if (topOfBook.bid === (before?.bid ?? 0) && topOfBook.ask === (before?.ask ?? 0)) return;
    if (topOfBook.bid || topOfBook.ask) this.topsOfBook.set(id, topOfBook);
    else this.topsOfBook.delete(id);
    for (const listener of this.topOfBookListeners) listener(id);
  }

  /** Applies a quote of the list. `since`: the list was requested, at `sentAt`, after the present subscription was confirmed. */
  applyListed(
    slot: Slot,
    { quote, topOfBook }: ListedInstrument,
    since: boolean,
    sentAt: UnixMs,
  ): void {
    const time = quote.time ?? Number.NaN;
    if (time > 0 && !(time <= this.#newestOfAll)) this.#newestOfAll = time;
    const now = this.#options.clock.now();
    // However late it is, it is newer than what is of before the reconnect: a side that it lacks has gone.
    if ((this.#bits[slot] ?? 0) & OLD_BOOK)
      this.#putTopOfBook(slot, { bid: sideOf(topOfBook.bid), ask: sideOf(topOfBook.ask) });
    const bits = this.#bits[slot] ?? 0;
    const arrived = this.#at(slot, ARRIVED);
    const newest = this.#at(slot, NEWEST);
    const isUntimed = Number.isNaN(time - this.#at(slot, TIME)) && !(bits & UNREFRESHED);
    // Where a time is missing, or is that of the last trade as in a change of bid, ask or status, what arrived since the request is the newer one.
    const isLate = (isUntimed || time === newest) && arrived > sentAt && arrived <= now;
    const confirmed = since && bits & SUBSCRIBED ? CONFIRMED : 0;
    if (time < newest || isLate) {
      // The socket brought a newer quote meanwhile. The list still refreshes the row.
      this.#numbers[slot * STRIDE + ARRIVED] = now;
      this.#bits[slot] = (bits & ~UNREFRESHED) | confirmed;
      this.#mark(slot);
      return;
    }
    this.#put(slot, quote.close, quote.open, quote.change, time, quote.marketOpen, confirmed, now);
    this.#putTopOfBook(slot, topOfBook);
  }

  /** Applies a quote from storage, unless the socket was faster: shown as stale until another one comes. */
  applyStored(slot: Slot, quote: Quote, arrived: UnixMs): void {
    if (!this.recall(slot, quote)) return;
    this.#numbers[slot * STRIDE + TIME] = quote.time ?? Number.NaN;
    this.#numbers[slot * STRIDE + ARRIVED] = arrived;
    this.#mark(slot);
  }

  /** Notes what the page shows already: the slot is in no frame until a quote comes. Returns false where one has come. */
  recall(slot: Slot, quote: Quote): boolean {
    if (!Number.isNaN(this.#at(slot, ARRIVED))) return false;
    const at = slot * STRIDE;
    this.#numbers[at + CLOSE] = quote.close;
    this.#numbers[at + OPENED_AT] = quote.open;
    this.#numbers[at + CHANGE] = quote.change;
    this.#bits[slot] = ((this.#bits[slot] ?? 0) & ~OPEN) | (quote.marketOpen ? OPEN : 0);
    return true;
  }

  #put(
    slot: Slot,
    close: number,
    open: number,
    change: number,
    time: number,
    marketOpen: boolean,
    confirmed: number,
    now: UnixMs,
  ): void {
    const bits = this.#bits[slot] ?? 0;
    const wasOpen = (bits & OPEN) !== 0;
    // An absent field is as before.
    const nextClose = close > 0 ? close : close === 0 ? Number.NaN : this.#at(slot, CLOSE);
    const nextOpen = open > 0 ? open : this.#at(slot, OPENED_AT);
    const nextChange = Number.isNaN(change) ? changeNumber(nextClose, nextOpen) : change;
    const priceMoved = differs(nextClose, this.#at(slot, CLOSE));
    const seen =
      priceMoved ||
      marketOpen !== wasOpen ||
      (bits & UNREFRESHED) !== 0 ||
      differs(nextOpen, this.#at(slot, OPENED_AT)) ||
      differs(nextChange, this.#at(slot, CHANGE)) ||
      differs(time, this.#at(slot, TIME)) ||
      Number.isNaN(time) ||
      ((bits & (SUBSCRIBED | CONFIRMED)) === SUBSCRIBED &&
        (confirmed !== 0 || now - this.#at(slot, ARRIVED) >= STALE_MS));
    const at = slot * STRIDE;
    this.#numbers[at + CLOSE] = nextClose;
    this.#numbers[at + OPENED_AT] = nextOpen;
    this.#numbers[at + CHANGE] = nextChange;
    this.#numbers[at + TIME] = time;
    if (!Number.isNaN(time)) this.#numbers[at + NEWEST] = time;
    this.#numbers[at + ARRIVED] = now;
    this.#bits[slot] = (bits & ~(OPEN | UNREFRESHED)) | (marketOpen ? OPEN : 0) | confirmed;
    if (seen) this.#mark(slot);
    const steps = this.#at(slot, STEPS);
    if (priceMoved && steps > 0 && isBetweenSteps(nextClose, steps)) {
      this.#numbers[at + STEPS] = -steps;
      this.#options.finer();
    }
    if (priceMoved || marketOpen !== wasOpen) {
      this.#moved = true;
      const listeners = this.#listeners[slot];
      if (listeners) for (const listener of listeners) listener(slot);
    }
    if (marketOpen !== wasOpen) this.#options.marketChanged();
  }

  #mark(slot: Slot): void {
    const bits = this.#bits[slot] ?? 0;
    if ((bits & (WATCHED | CHANGED)) !== WATCHED) return;
    if (Number.isNaN(this.#at(slot, ARRIVED))) return;
    this.#bits[slot] = bits | CHANGED;
    this.#changedSlots.push(slot);
    if (this.#changedSlots.length === 1) this.#options.changed();
  }

  #at(slot: Slot, column: number): number {
    return this.#numbers[slot * STRIDE + column] ?? Number.NaN;
  }

  /** An instrument is on screen, or not any more. One that comes on screen goes into the next frame. */
  watch(slot: Slot, watched: boolean): void {
    const bits = this.#bits[slot] ?? 0;
    this.#bits[slot] = watched ? bits | WATCHED : bits & ~WATCHED;
    if (watched) this.#mark(slot);
  }

  /** The connection has become proven or unproven: all watched quotes go into the next frame. */
  markWatched(): void {
    for (let slot = 0; slot < this.#size; slot++) this.#mark(slot);
  }

  /** An instrument is part of the present subscription, or not any more. */
  setSubscribed(slot: Slot, subscribed: boolean): void {
    const bits = this.#bits[slot] ?? 0;
    this.#bits[slot] = subscribed ? bits | SUBSCRIBED : bits & ~(SUBSCRIBED | CONFIRMED);
  }

  /** The connection is new: every quote is stale until it is refreshed. */
  markUnrefreshed(): void {
    for (let slot = 0; slot < this.#size; slot++) {
      this.#bits[slot] = ((this.#bits[slot] ?? 0) | UNREFRESHED | OLD_BOOK) & ~CONFIRMED;
      this.#mark(slot);
    }
  }

  /** Whether an instrument is subscribed and was not refreshed since: its quote may have changed unseen. */
  get unconfirmed(): boolean {
    for (let slot = 0; slot < this.#size; slot++) {
      const bits = this.#bits[slot] ?? 0;
      if ((bits & (SUBSCRIBED | CONFIRMED)) === SUBSCRIBED) return true;
    }
    return false;
  }

  /** The newest time of all instruments that came over the connection; NaN where none came. */
  get newestTime(): UnixMs {
    return toUnixMs(this.#newestOfAll);
  }

  /** The market's clock was set back (another replay or server): times known so far are void. */
  forgetTimes(): void {
    for (let slot = 0; slot < this.#size; slot++)
      this.#numbers[slot * STRIDE + NEWEST] = Number.NaN;
    this.#newestOfAll = Number.NaN;
  }

  /** Calls `listener` whenever the price or the market status of the instrument changes. Returns a function that ends it. */
  listen(slot: Slot, listener: QuoteListener): () => void {
    const before = this.#listeners[slot];
    if (before) before.push(listener);
    else this.#listeners[slot] = [listener];
    return () => {
      this.#listeners[slot] = this.#listeners[slot]?.filter((other) => other !== listener);
    };
  }

  price(slot: Slot): number {
    return this.#at(slot, CLOSE);
  }

  change(slot: Slot): number {
    return this.#at(slot, CHANGE);
  }

  isOpen(slot: Slot): boolean {
    return ((this.#bits[slot] ?? 0) & OPEN) !== 0;
  }

  arrived(slot: Slot): UnixMs {
    return toUnixMs(this.#at(slot, ARRIVED));
  }

  quote(slot: Slot): Quote {
    const time = this.#at(slot, TIME);
    return {
      close: this.#at(slot, CLOSE),
      open: this.#at(slot, OPENED_AT),
      change: this.#at(slot, CHANGE),
      time: Number.isNaN(time) ? undefined : toUnixMs(time),
      marketOpen: this.isOpen(slot),
    };
  }

  /** Staleness (protocol.md#staleness). A closed market is never stale; a row that is not subscribed is as old as its arrival. */
  isStale(slot: Slot): boolean {
    const bits = this.#bits[slot] ?? 0;
    if (!(bits & OPEN)) return false;
    if (bits & UNREFRESHED || !this.#options.proven()) return true;
    return (
      !(bits & CONFIRMED) && timeBetween(this.arrived(slot), this.#options.clock.now()) >= STALE_MS
    );
  }

  /** QUOTE_STRIDE numbers for each watched instrument that has changed since the last call; undefined where none has. */
  collect(): Float64Array | undefined {
    const slots = this.#changedSlots;
    if (slots.length === 0) return undefined;
    this.#changedSlots = [];
    const numbers = new Float64Array(slots.length * QUOTE_STRIDE);
    let length = 0;
    for (const slot of slots) {
      const bits = this.#bits[slot] ?? 0;
      this.#bits[slot] = bits & ~CHANGED;
      // Unwatched since it was marked.
      if ((bits & (WATCHED | CHANGED)) !== (WATCHED | CHANGED)) continue;
      this.#write(slot, numbers, length);
      length += QUOTE_STRIDE;
    }
    if (length === 0) return undefined;
    return length === numbers.length ? numbers : numbers.slice(0, length);
  }

  /** QUOTE_STRIDE numbers for each instrument, for the storage. */
  snapshot(): Float64Array {
    const numbers = new Float64Array(this.#size * QUOTE_STRIDE);
    for (let slot = 0; slot < this.#size; slot++) this.#write(slot, numbers, slot * QUOTE_STRIDE);
    return numbers;
  }

  #write(slot: Slot, into: Float64Array, at: number): void {
    into[at + QUOTE.id] = this.#at(slot, ID);
    into[at + QUOTE.close] = this.#at(slot, CLOSE);
    into[at + QUOTE.open] = this.#at(slot, OPENED_AT);
    into[at + QUOTE.change] = this.#at(slot, CHANGE);
    into[at + QUOTE.time] = this.#at(slot, TIME);
    into[at + QUOTE.arrived] = this.#at(slot, ARRIVED);
    into[at + QUOTE.flags] =
      (this.isOpen(slot) ? QUOTE_MARKET_OPEN : 0) | (this.isStale(slot) ? QUOTE_STALE : 0);
  }
}

/** A side of the top of the book after a tick: NaN leaves it as it was. */
function sideOf(told: number, before = 0): number {
  return told >= 0 ? told : before;
}

/** Whether two numbers differ; NaN (unknown) equals itself. */
function differs(a: number, b: number): boolean {
  return a !== b && !(Number.isNaN(a) && Number.isNaN(b));
}
