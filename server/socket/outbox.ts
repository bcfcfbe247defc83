import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { UnixMs } from '#domain/core/time';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import { getOrInsert } from '../core/getOrInsert';
import type { TextFrame } from './textFrame';

/** What all outboxes share. */
export interface OutboxContext {
  /** At `--speed max` the market waits for the slowest reader; nothing is conflated. */
  readonly lossless: boolean;
  now(): UnixMs;
  /** Outboxes above the low mark. */
  readonly congested: Set<Outbox>;
}

/** Above this many unsent bytes a reader is slow and its market data is conflated. */
const LOW_MARK = 64 * 1024;
/**
 * Above this many unsent bytes the connection is cut. Only events, which can't be conflated, get
 * there.
 */
const HIGH_MARK = 4 * 1024 * 1024;
const LOSSLESS_HIGH_MARK = 64 * 1024 * 1024;
/** `readyState` of a websocket that is open. */
const OPEN = 1;
/** Cut a reader that has missed this many bars: it fetches them when it connects again. */
const MAX_BARS = 2_000;

/** The quotes of a reader that could not be sent yet. */
export interface HeldQuotes {
  readonly hasWaiting: boolean;
  /** Sends them as far as the reader keeps up. */
  flush(): void;
}

/**
 * Sends to one socket with a bounded buffer. Above the low mark only the latest message of each
 * bar is kept, and of quotes what the reader was last sent; the rest is sent when the reader has
 * caught up.
 */
export class Outbox {
  /** When the reader fell behind; undefined while it keeps up. */
  congestedSince: UnixMs | undefined;
  /** While the reader takes DAY_MARKET. */
  quotes: HeldQuotes | undefined;
  readonly presentStates = new PresentStates();
  private readonly socket: WebSocket;
  private readonly stream: Duplex;
  private readonly context: OutboxContext;
  private readonly lowMark: number;
  private readonly bars = new Map<number, Map<number, TextFrame>>();
  private heldBars = 0;
  private waiting: (() => void)[] = [];

  constructor(socket: WebSocket, stream: Duplex, outlet: OutboxContext) {
    this.socket = socket;
    this.stream = stream;
    this.context = outlet;
    // Below its high-water mark a stream emits no `drain`.
    this.lowMark = Math.max(LOW_MARK, stream.writableHighWaterMark);
    stream.on('drain', () => this.caughtUp());
    socket.on('close', () => this.caughtUp());
  }

  /** Whether every tick is sent, and the market waits for it. */
  get isLossless(): boolean {
    return this.context.lossless;
  }

  /** Whether market data must be held back. */
  get slow(): boolean {
    if (this.context.lossless) return false;
    return this.quotes?.hasWaiting || this.bars.size > 0 || this.isOverLowMark();
  }

  /**
   * Sends a message immediately. It bypasses ws: one write instead of two, and the same bytes for all readers.
   * That is safe because ws neither compresses nor queues here, so it only writes whole frames. Returns
   * whether the kernel has taken the bytes: until then nobody may overwrite them.
   */
  send(frame: TextFrame): boolean {
    if (!this.isOpen) return true;
    this.stream.write(frame);
    if (this.stream.writableLength === 0) return true;
    if (this.isOverLowMark()) this.fallBehind();
    return false;
  }

  get unsentBytes(): number {
    return this.stream.writableLength;
  }

  private fallBehind(): void {
    if (this.congestedSince === undefined) {
      this.congestedSince = this.context.now();
      this.context.congested.add(this);
    }
    const highMark = this.context.lossless ? LOSSLESS_HIGH_MARK : HIGH_MARK;
    if (this.stream.writableLength > highMark) this.terminate();
  }

  /** Holds the latest message of a bar for `flush`. */
  holdBar(instrumentId: number, time: number, frame: TextFrame): void {
    const bars = getOrInsert(this.bars, instrumentId, () => new Map<number, TextFrame>());
    if (!bars.has(time)) this.heldBars++;
    bars.set(time, frame);
    if (this.heldBars > MAX_BARS) this.terminate();
  }

  dropBars(instrumentId: number): void {
    this.heldBars -= this.bars.get(instrumentId)?.size ?? 0;
    this.bars.delete(instrumentId);
  }

  /** Sends the held messages while the reader keeps up; the rest follows later. */
  flush(): void {
    for (const [instrumentId, bars] of this.bars) {
      for (const [time, frame] of bars) {
        if (!this.hasRoom) return;
        bars.delete(time);
        this.heldBars--;
        this.send(frame);
      }
      this.bars.delete(instrumentId);
    }
    this.quotes?.flush();
  }

  /** Resolves when the reader has caught up or is disconnected. */
  drained(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Cuts the connection without a closing handshake. */
  terminate(): void {
    this.socket.terminate();
  }

  private caughtUp(): void {
    this.congestedSince = undefined;
    this.context.congested.delete(this);
    this.flush();
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private isOverLowMark(): boolean {
    return this.stream.writableLength > this.lowMark;
  }

  /** Whether another message may be sent now. */
  get hasRoom(): boolean {
    return this.isOpen && (this.context.lossless || !this.isOverLowMark());
  }

  private get isOpen(): boolean {
    return this.socket.readyState === OPEN;
  }
}

/** After a present state, further ones wait until this is over (D80). */
const WINDOW_MS = 1000;
/** Rows that are sent without waiting: those in sight while a user scrolls. */
const FREE_ROWS = 100;

/** Limits the present states that one socket can request, because a `sub` costs its sender little. */
class PresentStates {
  private since = Number.NEGATIVE_INFINITY;
  private rows = 0;
  private readonly bars = new Set<number>();
  /** Instruments whose open bar was asked for again in the window, and is sent after it. */
  readonly lateBars = new Set<number>();

  /** How long `rows` rows have to wait; 0: they may be sent now, and are counted. */
  delay(rows: number, now: UnixMs): DurationMs {
    this.begin(now);
    const isFirst = this.rows === 0;
    if (!isFirst && this.rows + rows > FREE_ROWS) return this.rest(now);
    this.rows += rows;
    return toDurationMs(0);
  }

  /** Counts the open bar of an instrument as sent; returns false where it was in this window, so that it has to wait. */
  countBar(instrumentId: number, now: UnixMs): boolean {
    this.begin(now);
    if (this.bars.has(instrumentId)) return false;
    this.bars.add(instrumentId);
    this.lateBars.delete(instrumentId);
    return true;
  }

  /** How long the window lasts still. */
  rest(now: UnixMs): DurationMs {
    return toDurationMs(Math.max(0, this.since + WINDOW_MS - now));
  }

  private begin(now: UnixMs): void {
    if (now < this.since + WINDOW_MS) return;
    this.since = now;
    this.rows = 0;
    this.bars.clear();
  }
}
