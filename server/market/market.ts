import type { UnixMs, UnixSeconds } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { Tx } from '../db/database';
import type { Category } from './catalogue/instrumentTerms';

export interface Tick {
  instrumentId: number;
  price: number;
  /** Volume since the instrument's last tick. Feeds without volumes count 1 for each tick. */
  volume: number;
  /** The market's clock. */
  time: UnixMs;
  /** The best prices at which others buy and sell, where the feed has them. */
  bid?: number;
  ask?: number;
}

/** The exchange whose prices do not come, and since when. */
interface SourceLost {
  feed: string;
  since: UnixMs;
}

/**
 * Why a market is closed, where its hours are not the reason: halted by the operator, the server's clock was set
 * back, its price is 0 or less, its latest price has to be confirmed (`PriceGate`), or no prices come from a live exchange.
 */
export type ClosedReason = 'halted' | 'clock' | 'price' | 'doubt' | SourceLost;

/** The latest quote. `open` is the open of the UTC day of the last tick. */
export interface MarketQuote {
  price: number;
  open: number;
  time: UnixMs;
  marketOpen: boolean;
  /** When a closed market opens again; undefined where unknown. */
  nextOpen: UnixMs | undefined;
  closedReason?: ClosedReason;
  /** The best prices at which others buy and sell, where the feed has them. */
  bid?: number;
  ask?: number;
  /** Price and top of the book are too old for an order at the market's price, though the market is open. */
  stale?: boolean;
  /** After this time of the market they are; undefined where they never are. */
  freshUntil?: UnixMs;
}

/** The lowest and the highest price of some ticks. */
export interface PriceRange {
  low: number;
  high: number;
  /** The highest bid and the lowest ask, where they are known. */
  bidHigh?: number;
  askLow?: number;
}

/**
 * Receives what happens on the market, in order. A batch of ticks never crosses the end of a
 * minute. Bars that end there are closed before the next batch; those of a live market two seconds after their
 * end, because trades come late. An error of a listener is logged;
 * the feed continues.
 */
export interface MarketListener {
  /**
   * Whether the feed always waits for the listener's promise, as for matching, which must fill at
   * the price that it saw.
   */
  readonly blocksSource?: boolean;
  /** A replay at `--speed max` waits for the promises of all listeners. */
  ticks(ticks: readonly Tick[]): void | Promise<void>;
  /** The market of these instruments opened or closed. */
  status(instrumentIds: readonly number[]): void;
  /** The best bid and ask of these instruments changed without a tick; at most once a second each. */
  topOfBook?(instrumentIds: readonly number[]): void;
  /** A one-minute bar is complete. */
  barClosed(instrumentId: number, bar: Bar): void;
  /** `priceRange` has prices that were not delivered: the process was suspended, or an instrument halted. */
  skipped?(): void;
  /** Ticks have moved something since, which `savePosition` writes. */
  readonly hasMoved?: boolean;
  /** Writes what follows from the ticks so far, in the transaction that saves the feed's position. */
  savePosition?(tx: Tx): Promise<void>;
  /** The feed has saved its position, and what the listeners wrote with it. */
  positionSaved?(): void;
}

/** A market as those see it who show it: HTTP, websocket, metrics. That of another process is one of these too. */
export interface MarketView {
  /**
   * Identifies the feed: the seed, or the hash of the file. Data of another feed belong to another
   * market.
   */
  readonly feed: string;
  /** In display order. */
  readonly instruments: readonly Instrument[];
  /** Categories that have instruments, in display order; the name is translated by the key. */
  readonly categories: readonly Category[];
  /** Of its past it knows minutes, and no prices (D126): what has followed its prices has to be written. */
  readonly byMinute?: boolean;
  /** Its ticks have a bid and an ask. */
  readonly hasBook?: boolean;
  /** The market's clock: the wall clock, or the time of the data in a replay. Never before a tick that was delivered. */
  now(): UnixMs;
  /** Undefined before the first tick of the instrument. */
  quote(instrumentId: number): MarketQuote | undefined;
  /** The open one-minute bar. */
  currentBar(instrumentId: number): Bar | undefined;
  /**
   * At most `limit` bars, oldest first; the last one is still open. With `before`, only bars that
   * start before it.
   */
  bars(instrumentId: number, period: Period, limit: number, before?: UnixSeconds): Promise<Bar[]>;
  listen(listener: MarketListener): () => void;
  /** Called when a socket first subscribes; a feed held by --replay-wait starts. */
  onFirstSubscriber(): void;
}

/** The only market of the process: simulated, replayed or live. Matching needs it, and so all that writes. */
export interface Market extends MarketView {
  /**
   * The range of the ticks after `since` and before `until`, at most those of the present; undefined
   * without any. A feed that delivers ticks again after a restart does not know it. That of another
   * process has to be asked, and may not answer.
   */
  priceRange(
    instrumentId: number,
    since: UnixMs,
    until?: UnixMs,
  ): PriceRange | undefined | Promise<PriceRange | undefined>;
  /**
   * Runs `work` between two batches: no tick is delivered until it is done, so an order inside
   * fills at the price it read. Never call it inside `ticks`: it would wait for itself.
   */
  exclusively<T>(work: () => T | Promise<T>): Promise<T>;
  /**
   * Writes the feed's position and bars into the caller's transaction, inside `exclusively` or
   * `ticks`: after a restart, ticks that the transaction has seen are not delivered again.
   * Undefined where there is none: the position of a simulated market is the clock.
   */
  readonly savePosition: ((tx: Tx) => Promise<void>) | undefined;
  /**
   * Halts or resumes an instrument for all processes of a cluster; returns false where it is so already. Absent where
   * halts are this process's own.
   */
  setHalted?(instrumentId: number, halted: boolean): Promise<boolean>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
