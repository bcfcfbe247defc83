/** The part of the worker's contract about the market: list, quotes, bars. */

import type { Category } from '../api/market';
import type { Result } from '../core/result';
import type { Candles, CandlesKey } from '../market/candles';
import type { Instrument, Quote } from '../market/instrument';
import type { ListQuery, ListRow, ListWindow } from '../market/list';
import type { InstrumentTopOfBook } from '../market/topOfBook';

/** What the market part adds to a Frame. */
export interface MarketFrame {
  /** Another number than before when rows of the list or their order have changed: call `rows` again. */
  listRevision?: number;
  /** QUOTE_STRIDE numbers for each watched instrument that has changed. */
  quotes?: Float64Array;
  candles?: Candles[];
  /** Watched tops of the book that have changed; 0 and 0 where the feed has none any more. */
  topsOfBook?: InstrumentTopOfBook[];
}

/** What the page shows of an instrument before the worker has a list. */
export interface RecalledInstrument extends Pick<Instrument, 'id' | 'code'> {
  quote: Quote;
}

/** What is on screen of the top of a book. */
export type ShownOfBook = 'both' | 'spread';

/** Calls about the market. */
export interface MarketWorkerApi {
  /** Rows `from` to `to` (excluded) of the list. Nothing is fetched. */
  rows(query: ListQuery, from: number, to: number): ListWindow;
  /** The index of an instrument among the rows of the list; undefined where it is not among them. */
  rowIndex(query: ListQuery, code: string): number | undefined;
  /** The row of an instrument by its code. Where the code is unknown or undefined: the first row of the list whose market is open, or the first row. */
  row(code: string | undefined): ListRow | undefined;
  /** Sets the instruments whose bid and ask are on screen, or only their spread: those tell of no change that leaves it. A new one gets its top of the book, where it has one. */
  watchTopsOfBook(change: { add: number[]; remove: number[] }, shown: ShownOfBook): void;
  /** Fetches the list again: on entering / and /trade, and by pulling (screens.md#routing). */
  refreshList(): Promise<Result<void>>;
  /** Categories in the present language, cached (protocol.md#categories). */
  categories(): Promise<Result<Category[]>>;
  /** Closes of the last 24 h, oldest first, cached for a minute (protocol.md#sparklines). */
  sparklines(ids: number[]): Promise<Result<Record<number, Float32Array>>>;
  /** Loads the 500 bars before the oldest one; they arrive in a frame. */
  loadOlder(key: CandlesKey): Promise<Result<void>>;
  /** Loads the bars again, after `Candles.failure`. */
  reloadCandles(key: CandlesKey): void;
}
