import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { UnixMs } from '#domain/core/units';
import { getOrInsert } from '../core/getOrInsert';

/** What the outboxes of all sockets share. */
export interface OutboxContext {
  /** At `--speed max` the market waits for the slowest reader; nothing is conflated. */
  readonly lossless: boolean;
  now(): UnixMs;
  /** The message of the latest quotes of these instruments, with the volumes traded since the last one. */
  encodeQuotes(volumes: ReadonlyMap<number, number>): Buffer | undefined;
  /** Outboxes over the low mark. */
  readonly congested: Set<Outbox>;
}

/** Over this many unsent bytes a reader is slow, and its market data is conflated. */
const LOW_MARK = 64 * 1024;
/** Over this many it is cut: only events that may not be conflated lead there. */
const HIGH_MARK = 4 * 1024 * 1024;
const LOSSLESS_HIGH_MARK = 64 * 1024 * 1024;
/** Rows of one conflated message, so that a slow reader's last one is never long. */
const ROWS_AT_ONCE = 256;
/** A reader that missed so many bars will be quicker when it fetches them. */
const MOST_BARS = 2_000;

/**
 * Sends to one socket without ever holding more than the reader could use:
 * over the low mark quotes are kept as the volume since the last one sent, bars as
 * the last message of each, and both go out when the reader has caught up.
 */
export class Outbox {
  /** When the reader fell behind; undefined while it keeps up. */
  congestedSince: UnixMs | undefined;
  private readonly socket: WebSocket;
  private readonly context: OutboxContext;
  private readonly lowMark: number;
  private readonly quotes = new Map<number, number>();
  private readonly bars = new Map<number, Map<number, Buffer>>();
  private heldBars = 0;
  private waiting: (() => void)[] = [];

  constructor(socket: WebSocket, stream: Duplex, outlet: OutboxContext) {
    this.socket = socket;
    this.context = outlet;
    // Below its own mark a stream has nothing to say about being drained.
    this.lowMark = Math.max(LOW_MARK, stream.writableHighWaterMark);
    stream.on('drain', () => this.caughtUp());
    socket.on('close', () => this.caughtUp());
  }

  /** Whether market data is to be held back. */
  get slow(): boolean {
    if (this.context.lossless) return false;
    return this.quotes.size > 0 || this.bars.size > 0 || this.isOverLowMark();
  }

  /** Sends these bytes, as text, at once. */
  send(message: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(message, { binary: false });
    if (!this.isOverLowMark()) return;
    if (this.congestedSince === undefined) {
      this.congestedSince = this.context.now();
      this.context.congested.add(this);
    }
    const highMark = this.context.lossless ? LOSSLESS_HIGH_MARK : HIGH_MARK;
    if (this.socket.bufferedAmount > highMark) this.terminate();
  }

  /** Keeps the quotes of these instruments for `flush`; volumes are summed. */
  holdQuotes(volumes: Iterable<readonly [number, number]>): void {
    for (const [instrumentId, volume] of volumes) {
      this.quotes.set(instrumentId, (this.quotes.get(instrumentId) ?? 0) + volume);
    }
  }

  /** Keeps the last message of a bar for `flush`. */
  holdBar(instrumentId: number, time: number, message: Buffer): void {
    const bars = getOrInsert(this.bars, instrumentId, () => new Map<number, Buffer>());
    if (!bars.has(time)) this.heldBars++;
    bars.set(time, message);
    if (this.heldBars > MOST_BARS) this.terminate();
  }

  dropQuotes(): void {
    this.quotes.clear();
  }

  dropBars(instrumentId: number): void {
    this.heldBars -= this.bars.get(instrumentId)?.size ?? 0;
    this.bars.delete(instrumentId);
  }

  /** Sends what is held, as far as the reader keeps up; the rest follows when it has. */
  flush(): void {
    for (const [instrumentId, bars] of this.bars) {
      for (const [time, message] of bars) {
        if (!this.hasRoom()) return;
        bars.delete(time);
        this.heldBars--;
        this.send(message);
      }
      this.bars.delete(instrumentId);
    }
    while (this.quotes.size > 0 && this.hasRoom()) {
      const some = new Map<number, number>();
      for (const [instrumentId, volume] of this.quotes) {
        some.set(instrumentId, volume);
        this.quotes.delete(instrumentId);
        if (some.size === ROWS_AT_ONCE) break;
      }
      const message = this.context.encodeQuotes(some);
      if (message) this.send(message);
    }
  }

  /** Resolves when the reader has caught up, or is gone. */
  drained(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Ends the connection without waiting for a reader that doesn't read. */
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
    return this.socket.bufferedAmount > this.lowMark;
  }

  private hasRoom(): boolean {
    return (
      this.socket.readyState === this.socket.OPEN &&
      (this.context.lossless || !this.isOverLowMark())
    );
  }
}
