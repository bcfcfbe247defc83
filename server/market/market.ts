import type { UnixMs, UnixSeconds } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Bar, Period } from '#domain/market/kline';
import type { Tx } from '../db/open';

/** What the sandbox's market knows of an instrument; categories by their key under `server.category`. */
export type ListedInstrument = Instrument;

export interface Tick {
  instrumentId: number;
  price: number;
  /** Traded since the last tick of the instrument; ticks are counted where the feed has no volumes. */
  volume: number;
  /** The market's clock. */
  time: UnixMs;
}

/** The latest of an instrument. `open` is the open of the UTC day in which it was last traded. */
export interface MarketQuote {
  price: number;
  open: number;
  time: UnixMs;
  marketOpen: boolean;
  /** When a closed market opens again, where known. */
  nextOpen: UnixMs | undefined;
}

/**
 * What the market tells its listeners, in order. A batch of ticks never
 * crosses the end of a minute: the bars that end there are closed before the
 * next one. A listener that fails is reported; the feed goes on.
 */
export interface MarketListener {
  /** Its promises hold the feed, whatever the speed: matching, which must book at the price it saw. */
  readonly blocksFeed?: boolean;
  /** The promises of all listeners hold a replay at `--speed max`. */
  ticks(ticks: readonly Tick[]): void | Promise<void>;
  /** The market of these instruments opened or closed. */
  status(instrumentIds: readonly number[]): void;
  /** A one-minute bar has its final form. */
  barClosed(instrumentId: number, bar: Bar): void;
}

/** Where a market reports what its operator should know. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

/**
 * The one market of the process, simulated or replayed. Everything else
 * (HTTP, websocket, matching) reads it here.
 */
export interface Market {
  /** Names what is traded here: the seed, or the file by its content. What belongs to another feed is of another market. */
  readonly feed: string;
  /** In display order. */
  readonly instruments: readonly ListedInstrument[];
  /** In display order, those that have instruments; the name is translated by its key. */
  readonly categories: readonly { id: number; key: string }[];
  /** The market's clock: the wall's, or the data's in a replay. */
  now(): UnixMs;
  /** Undefined while nothing was traded yet (a replay before the first tick of a code). */
  quote(instrumentId: number): MarketQuote | undefined;
  /** The open one-minute bar. */
  currentBar(instrumentId: number): Bar | undefined;
  /** At most `limit` bars, oldest first, the last one still open; with `before`: those with time < before. */
  bars(instrumentId: number, period: Period, limit: number, before?: UnixSeconds): Promise<Bar[]>;
  listen(listener: MarketListener): () => void;
  /** Called with the first `sub` of a socket; a feed held by --replay-wait starts. */
  onFirstSubscriber(): void;
  /**
   * Runs `work` between two batches: no tick comes until it is done. An order
   * placed inside fills at the price it read. Never from inside `ticks` (there
   * the feed is held already): it would wait for itself.
   */
  exclusively<T>(work: () => T | Promise<T>): Promise<T>;
  /**
   * Writes where the feed stands, and its bars, into a transaction of the
   * caller's, inside `between` or `ticks`: after a restart no tick that the
   * transaction knew of comes again. A simulated market has nothing to write.
   */
  savePosition(tx: Tx): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
