import {
  type DurationMs,
  toDurationMs,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
} from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { ClosedReason, MarketQuote, Tick } from '../market/market';

/** An instrument as it is at a moment. */
export interface InstrumentState {
  id: number;
  quote: MarketQuote | undefined;
  /** The open one-minute bar. */
  bar: Bar | undefined;
}

/** What happened on the market, as its listeners learn it. */
export type MarketUpdateEvent =
  | { kind: 'ticks'; ticks: readonly Tick[]; states: readonly InstrumentState[] }
  | { kind: 'status' | 'book' | 'changed'; states: readonly InstrumentState[] }
  | { kind: 'bars'; bars: readonly { id: number; bar: Bar }[] }
  | { kind: 'skipped' };

/** What the feed publishes in one turn (architecture.md#cluster). */
export interface MarketUpdate {
  /** Of the feed: a later one has a higher epoch. */
  epoch: number;
  /** Goes up by one within an epoch: a gap is a lost update. */
  sequence: number;
  /** When it was sent, by the feed's clock that nobody sets (`Clock.elapsed`). */
  sentAt: DurationMs;
  /** The market's clock. */
  now: UnixMs;
  events: readonly MarketUpdateEvent[];
}

/** A part of the present of all instruments. */
export interface SnapshotPage {
  epoch: number;
  /** Of the last update that these states include. */
  sequence: number;
  /** As of an update. */
  sentAt: DurationMs;
  now: UnixMs;
  /** Which market it is (`identityOf`). */
  market: string;
  /** Instruments in all. */
  total: number;
  states: readonly InstrumentState[];
}

/** A part of the market's description. */
export interface DescriptionPart {
  /** Of the whole: parts of different wholes do not fit together. */
  digest: string;
  /** Bytes in all. */
  total: number;
  bytes: Uint8Array;
}

const VERSION = 5;
const KINDS = ['ticks', 'status', 'book', 'changed', 'bars', 'skipped'] as const;
/** Ticks that have a bid and an ask. A former release does not know them: no feed of it has any. */
const SIDED_TICKS = KINDS.length;

const HAS_QUOTE = 1;
const HAS_BAR = 2;
const OPEN = 4;
const HAS_NEXT_OPEN = 8;
const HAS_BID = 16;
const HAS_ASK = 32;
const HAS_FRESH_UNTIL = 64;
/** Three bits: which reason a closed market has. */
const REASON_SHIFT = 7;
/** A former release reads one that it does not know as closed for no reason. */
const REASONS = [undefined, 'halted', 'clock', 'feed', 'price', 'doubt'] as const;

/** Every number is a double or a whole number of 4 bytes, little-endian, so that none changes on the way. */
export function encodeMarketUpdate({
  epoch,
  sequence,
  sentAt,
  now,
  events,
}: MarketUpdate): Uint8Array {
  const writer = new Writer();
  writer.byte(VERSION);
  writer.double(epoch);
  writer.double(sequence);
  writer.double(sentAt);
  writer.double(now);
  writer.count(events.length);
  for (const event of events) {
    const sided =
      event.kind === 'ticks' &&
      event.ticks.some(({ bid, ask }) => bid !== undefined || ask !== undefined);
    writer.byte(sided ? SIDED_TICKS : KINDS.indexOf(event.kind));
    switch (event.kind) {
      case 'ticks':
        writer.count(event.ticks.length);
        for (const { instrumentId, price, volume, time, bid, ask } of event.ticks) {
          writer.count(instrumentId);
          writer.double(price);
          writer.double(volume);
          writer.double(time);
          if (sided) for (const side of [bid, ask]) writer.double(side ?? Number.NaN);
        }
        writeStates(writer, event.states);
        break;
      case 'bars':
        writer.count(event.bars.length);
        for (const { id, bar } of event.bars) {
          writer.count(id);
          writeBar(writer, bar);
        }
        break;
      case 'skipped':
        break;
      default:
        writeStates(writer, event.states);
    }
  }
  return writer.bytes;
}

/** Throws a RangeError for bytes that are no update of this version. */
export function decodeMarketUpdate(bytes: Uint8Array): MarketUpdate {
  const reader = new Reader(bytes);
  reader.version();
  const epoch = reader.double();
  const sequence = reader.double();
  const sentAt = toDurationMs(reader.double());
  const now = toUnixMs(reader.double());
  const events = reader.list((): MarketUpdateEvent => {
    const written = reader.byte();
    const sided = written === SIDED_TICKS;
    const kind = sided ? 'ticks' : KINDS[written];
    switch (kind) {
      case undefined:
        throw new RangeError('an unknown kind of event');
      case 'ticks': {
        const ticks = reader.list(() => ({
          instrumentId: reader.count(),
          price: reader.double(),
          volume: reader.double(),
          time: toUnixMs(reader.double()),
          ...(sided && sidesOf(reader.double(), reader.double())),
        }));
        return { kind, ticks, states: readStates(reader) };
      }
      case 'bars':
        return { kind, bars: reader.list(() => ({ id: reader.count(), bar: readBar(reader) })) };
      case 'skipped':
        return { kind };
      default:
        return { kind, states: readStates(reader) };
    }
  });
  reader.end();
  return { epoch, sequence, sentAt, now, events };
}

/** A side that is missing is no number. */
function sidesOf(bid: number, ask: number): Pick<Tick, 'bid' | 'ask'> {
  return {
    ...(!Number.isNaN(bid) && { bid }),
    ...(!Number.isNaN(ask) && { ask }),
  };
}

export function encodePage(page: SnapshotPage): Uint8Array {
  const { epoch, sequence, sentAt, now, market, total, states } = page;
  const writer = new Writer();
  writer.byte(VERSION);
  writer.double(epoch);
  writer.double(sequence);
  writer.double(sentAt);
  writer.double(now);
  writer.text(market);
  writer.count(total);
  writeStates(writer, states);
  return writer.bytes;
}

/** Throws a RangeError for bytes that are no page of this version. */
export function decodePage(bytes: Uint8Array): SnapshotPage {
  const reader = new Reader(bytes);
  reader.version();
  const page = {
    epoch: reader.double(),
    sequence: reader.double(),
    sentAt: toDurationMs(reader.double()),
    now: toUnixMs(reader.double()),
    market: reader.text(),
    total: reader.count(),
    states: readStates(reader),
  };
  reader.end();
  return page;
}

export function encodePart({ digest, total, bytes }: DescriptionPart): Uint8Array {
  const writer = new Writer();
  writer.byte(VERSION);
  writer.text(digest);
  writer.count(total);
  writer.block(bytes);
  return writer.bytes;
}

/** Throws a RangeError for bytes that are no part of this version. */
export function decodePart(bytes: Uint8Array): DescriptionPart {
  const reader = new Reader(bytes);
  reader.version();
  const part = { digest: reader.text(), total: reader.count(), bytes: reader.block() };
  reader.end();
  return part;
}

function writeStates(writer: Writer, states: readonly InstrumentState[]): void {
  writer.count(states.length);
  for (const { id, quote, bar } of states) {
    writer.count(id);
    writer.short((quote ? quoteFlags(quote) : 0) | (bar ? HAS_BAR : 0));
    if (quote) writeQuote(writer, quote);
    if (bar) writeBar(writer, bar);
  }
}

function quoteFlags({ marketOpen, nextOpen, bid, ask, freshUntil, closedReason }: MarketQuote) {
  const reason = typeof closedReason === 'object' ? 'feed' : closedReason;
  return (
    HAS_QUOTE |
    (marketOpen ? OPEN : 0) |
    (nextOpen === undefined ? 0 : HAS_NEXT_OPEN) |
    (bid === undefined ? 0 : HAS_BID) |
    (ask === undefined ? 0 : HAS_ASK) |
    (freshUntil === undefined ? 0 : HAS_FRESH_UNTIL) |
    (REASONS.indexOf(reason) << REASON_SHIFT)
  );
}

function writeQuote(writer: Writer, quote: MarketQuote): void {
  const { price, open, time, nextOpen, bid, ask, freshUntil, closedReason } = quote;
  for (const value of [price, open, time, nextOpen, bid, ask, freshUntil]) {
    if (value !== undefined) writer.double(value);
  }
  if (typeof closedReason === 'object') {
    writer.text(closedReason.feed);
    writer.double(closedReason.since);
  }
}

function readStates(reader: Reader): InstrumentState[] {
  return reader.list(() => {
    const id = reader.count();
    const flags = reader.short();
    const quote = flags & HAS_QUOTE ? readQuote(reader, flags) : undefined;
    return { id, quote, bar: flags & HAS_BAR ? readBar(reader) : undefined };
  });
}

function readQuote(reader: Reader, flags: number): MarketQuote {
  const price = reader.double();
  const open = reader.double();
  const time = toUnixMs(reader.double());
  const nextOpen = flags & HAS_NEXT_OPEN ? toUnixMs(reader.double()) : undefined;
  const bid = flags & HAS_BID ? reader.double() : undefined;
  const ask = flags & HAS_ASK ? reader.double() : undefined;
  const freshUntil = flags & HAS_FRESH_UNTIL ? toUnixMs(reader.double()) : undefined;
  const closedReason = readReason(reader, flags);
  return {
    price,
    open,
    time,
    marketOpen: (flags & OPEN) !== 0,
    nextOpen,
    ...(closedReason && { closedReason }),
    ...(bid !== undefined && { bid }),
    ...(ask !== undefined && { ask }),
    ...(freshUntil !== undefined && { freshUntil }),
  };
}

function readReason(reader: Reader, flags: number): ClosedReason | undefined {
  const reason = REASONS[(flags >> REASON_SHIFT) & 7];
  if (reason !== 'feed') return reason;
  return { feed: reader.text(), since: toUnixMs(reader.double()) };
}

function writeBar(writer: Writer, { time, open, high, low, close, volume }: Bar): void {
  for (const value of [time, open, high, low, close, volume]) writer.double(value);
}

function readBar(reader: Reader): Bar {
  return {
    time: toUnixSeconds(reader.double()),
    open: reader.double(),
    high: reader.double(),
    low: reader.double(),
    close: reader.double(),
    volume: reader.double(),
  };
}

/** Writes into memory that grows. */
class Writer {
  private view = new DataView(new ArrayBuffer(1024));
  private at = 0;

  get bytes(): Uint8Array {
    return new Uint8Array(this.view.buffer, 0, this.at);
  }

  byte(value: number): void {
    const at = this.room(1);
    this.view.setUint8(at, value);
  }

  short(value: number): void {
    const at = this.room(2);
    this.view.setUint16(at, value, true);
  }

  count(value: number): void {
    const at = this.room(4);
    this.view.setUint32(at, value, true);
  }

  double(value: number): void {
    const at = this.room(8);
    this.view.setFloat64(at, value, true);
  }

  text(value: string): void {
    this.block(new TextEncoder().encode(value));
  }

  block(bytes: Uint8Array): void {
    this.count(bytes.length);
    const at = this.room(bytes.length);
    new Uint8Array(this.view.buffer).set(bytes, at);
  }

  private room(size: number): number {
    const at = this.at;
    this.at += size;
    if (this.at > this.view.byteLength) {
      const larger = new Uint8Array(2 * this.at);
      larger.set(new Uint8Array(this.view.buffer, 0, at));
      this.view = new DataView(larger.buffer);
    }
    return at;
  }
}

/** Reads what Writer wrote; reading past the end is a RangeError. */
class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  version(): void {
    if (this.byte() !== VERSION) throw new RangeError('another version');
  }

  end(): void {
    if (this.at !== this.view.byteLength) throw new RangeError('more bytes than a message has');
  }

  byte(): number {
    return this.view.getUint8(this.step(1));
  }

  short(): number {
    return this.view.getUint16(this.step(2), true);
  }

  count(): number {
    return this.view.getUint32(this.step(4), true);
  }

  double(): number {
    return this.view.getFloat64(this.step(8), true);
  }

  text(): string {
    return new TextDecoder().decode(this.block());
  }

  block(): Uint8Array {
    const length = this.count();
    const at = this.view.byteOffset + this.step(length);
    if (this.at > this.view.byteLength) throw new RangeError('a block beyond the end');
    return new Uint8Array(this.view.buffer, at, length);
  }

  /** A false length ends at the end of the bytes, because every row has at least one. */
  list<T>(read: () => T): T[] {
    const rows: T[] = [];
    for (let left = this.count(); left > 0; left--) rows.push(read());
    return rows;
  }

  private step(size: number): number {
    const at = this.at;
    this.at += size;
    return at;
  }
}
