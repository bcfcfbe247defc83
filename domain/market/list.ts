/** The list of instruments: which rows, in which order. */

import type { UnixMs } from '../core/time';
import type { Instrument, Quote } from './instrument';

/** The default order is the server's, with open markets first. */
export type ListSort = 'default' | 'name' | 'change';
/** What the bar of the day says. */
export const DAY_SORTS = ['low', 'high', 'range', 'volume'] as const;
/** Indicators of its bars. */
export const INDICATOR_SORTS = ['rsi', 'macd', 'atr', 'sma', 'ema'] as const;
/** Values of an instrument's bars. */
export type BarSort = (typeof DAY_SORTS)[number] | (typeof INDICATOR_SORTS)[number];
/** What a grid sorts by besides: fields of the quote, what the user holds, and values of bars. */
export type Sort =
  | ListSort
  | 'code'
  | 'category'
  | 'price'
  | 'open'
  | 'bid'
  | 'ask'
  | 'spread'
  | 'age'
  | 'position'
  | 'profit'
  | 'volatility'
  | BarSort;

/** Which instruments to list, in which order. */
export interface ListQuery {
  categoryId?: number;
  /** Only instruments whose market is open. */
  open?: true;
  /** Only these instruments, by id; in the default order as they stand here. */
  only?: readonly number[];
  /** Parts of a name or code, in any case and order; what separates their letters is ignored. */
  search?: string;
  /** A list knows `ListSort` only; others are the default order to it, and known to grids. */
  sort: Sort;
  descending: boolean;
  /** Ids of instruments that come first, sorted among themselves; not where `only` is given, nor in a ranking. */
  favourites: readonly number[];
  /** All of them by size, that of a change up or down. */
  ranked?: true;
  /** Of a grid: a heading before the instruments of each category, which are sorted among themselves. */
  grouped?: true;
}

/** Stands before the instruments of a category. */
export interface Heading {
  categoryId: number;
  /** How many instruments follow. */
  count: number;
}

/** A row of the list: the instrument and its present quote. */
export interface ListRow {
  instrument: Instrument;
  quote: Quote;
  arrived: UnixMs;
  stale: boolean;
  /** When a closed market opens again, where known. */
  nextOpen: UnixMs | undefined;
  /** Why a closed market is closed, for the user, where the hours are not the reason. */
  closedReason?: string;
  /** It has left the server's list: nothing is traded in it any more. */
  delisted?: true;
  /** The feed has a bid and an ask of it. */
  hasBook?: boolean;
  /** This row is a heading; its instrument is the first of the category, with a negative id. */
  heading?: Heading;
}

export interface ListWindow {
  revision: number;
  /** Number of rows that match the query, visible or not. */
  total: number;
  from: number;
  rows: ListRow[];
  /** True until a list was loaded from the server or from storage. */
  loading: boolean;
  /**
   * Of a grid: its order needs the bars of more instruments than `MOST_SORTED_BY_BARS`. Rows stand in
   * the default order instead.
   */
  unsorted?: true;
  /** Of a grouped grid: how many of the `total` rows are no headings. */
  instruments?: number;
}
