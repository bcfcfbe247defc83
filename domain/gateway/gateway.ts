/**
 * The contract of the worker: what the React thread may ask, and the Frame it
 * gets. Everything crosses Comlink by value; no callbacks do.
 */

import type { Language } from '../core/language';
import type { Failure, Result } from '../core/result';
import type { DurationMs, UnixMs } from '../core/time';
import type { Category, Instrument, Quote } from '../market/instrument';
import type { Period } from '../market/kline';
import type { AccountFrame, AccountGateway } from './account';
import type { CompaniesGateway } from './companies';
import type { MiningGateway } from './mining';
import type { NewsGateway } from './news';
import type { RankingGateway } from './ranking';
import type { TradingEvent, TradingFrame, TradingGateway } from './trading';
import type { WalletGateway } from './wallet';

/** What the worker must know of the page before it can begin. */
export interface Start {
  language: Language;
  /** The page's origin, title and the configured fallback host (empty: the origin) decide the base address (protocol.md#base-address). */
  page: { origin: string; title: string; fallbackHost: string };
  /** The running build, as `version` in the manifest.json that was built with it; empty: never a `new-version`. */
  version: string;
  visible: boolean;
  online: boolean;
  /** An address that knows the complaint email when the server does not (protocol.md#complaint-email); empty: none. */
  complaintUrl?: string;
  /** Ask only for what is in sight, and each quote once a second at most (D34). */
  dataSaver: boolean;
}

/** How true the figures on screen are (protocol.md#staleness). */
export type LinkState = 'connecting' | 'live' | 'stale' | 'offline';

export interface Link {
  state: LinkState;
  /** Market clock minus this machine's clock, in ms; undefined until a pong says. */
  marketOffset: DurationMs | undefined;
}

/** Numbers of one quote in `Frame.quotes`, in the order of `QUOTE`. */
export const QUOTE_STRIDE = 7;
/** Offsets in one quote: id, Quote's fields (Time NaN where unknown), wall clock of arrival, 1 = stale. */
export const QUOTE = {
  id: 0,
  close: 1,
  open: 2,
  change: 3,
  time: 4,
  arrived: 5,
  flags: 6,
} as const;
/** Bits of `QUOTE.flags`. */
export const QUOTE_MARKET_OPEN = 1;
export const QUOTE_STALE = 2;

/** Numbers of one bar in `Candles.bars`: time (unix s), open, high, low, close, volume. */
export const BAR_STRIDE = 6;

export interface CandlesKey {
  instrumentId: number;
  period: Period;
}

/** What happened to the bars of a chart. */
export interface Candles extends CandlesKey {
  /**
   * `replace`: these are all bars. `update`: the last bar that was sent and any after it.
   * `prepend`: older ones, to stand before all others. In one frame: in the order of the array.
   */
  change: 'replace' | 'update' | 'prepend';
  bars: Float64Array;
  /** Whether older bars may still be had. */
  more: boolean;
  /** The history could not be had; the chart offers a retry. */
  failure?: Failure;
}

/**
 * What must be seen once each, in order. Refused and failed calls of the user
 * come here as `notice` and `failure` (screens.md#messages), besides the Result that the caller
 * gets: the caller decides what to do, never shows it a second time.
 */
export type GatewayEvent =
  | TradingEvent
  /** A text of the server (screens.md#messages), or a failure that nobody asked for. */
  | { type: 'notice'; tone: 'info' | 'error'; text: string }
  | { type: 'failure'; failure: Failure }
  /** The spinner that blocks clicks (screens.md#busy-overlay). */
  | { type: 'busy'; busy: boolean }
  /** Code 999 (protocol.md#errors): the user's data is gone; go to /login unless the call was an initial one. */
  | { type: 'signed-out'; initial: boolean }
  /** App status is not 0 (protocol.md#app-status): leave for this https address. */
  | { type: 'leave'; url: string }
  /** The page's own manifest names another version (protocol.md#manifest). */
  | { type: 'new-version' };

/**
 * What changed since the last frame, of what is watched. State is
 * last-value-wins; events are an ordered queue that drops nothing.
 */
export interface Frame extends TradingFrame, AccountFrame {
  link?: Link;
  /** Bumped when the list's rows or their order changed: ask `rows` again. */
  listRevision?: number;
  /** QUOTE_STRIDE numbers for each watched instrument that changed. */
  quotes?: Float64Array;
  candles?: Candles[];
  events?: GatewayEvent[];
}

/** A list is drawn at most 20 times a second: the eye sees no more, and 16 ms would cost three times as much. */
export const FRAME_MS = 50;

/**
 * So many frames may be on their way before the page has applied any of them: a
 * busy page gets fewer, fuller ones.
 */
export const FRAMES_AHEAD = 16;
/** The page tells by their number that frames are applied, so many at a time: a message costs more than a frame. */
export const FRAMES_TOLD = 8;

/** One end of a MessageChannel, as much of it as is used. */
export interface FramePort<Sent, Heard> {
  postMessage(message: Sent, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: { data: Heard }) => void) | null;
}

export type Sort = 'default' | 'name' | 'change';

/** Which instruments, in which order. */
export interface ListQuery {
  categoryId?: number;
  /** Part of a name or code, in any case. */
  search?: string;
  sort: Sort;
  descending: boolean;
  /** These stand first, in the order of the sort. */
  favourites: number[];
}

/** A row of the list: what is constant, and the quote as it is now. */
export interface ListRow {
  instrument: Instrument;
  quote: Quote;
  arrived: UnixMs;
  stale: boolean;
  /** When a closed market opens again, where known. */
  nextOpen: UnixMs | undefined;
}

export interface ListWindow {
  revision: number;
  /** Rows that match the query, in sight or not. */
  total: number;
  from: number;
  rows: ListRow[];
  /** True until a list has come from the server or from storage. */
  loading: boolean;
}

/** Changes to what is on screen; only that is asked for and sent (architecture.md#frames). */
export interface Watch {
  instruments?: { add: number[]; remove: number[] };
  candles?: { add: CandlesKey[]; remove: CandlesKey[] };
}

/** Totals since the worker began. */
export interface Traffic {
  /** Over the websocket. */
  messages: number;
  /** Of those messages: as many bytes, but for letters outside of ASCII. */
  characters: number;
  /** Time in which messages were worked on and frames made, ms; grows only while it is measured. */
  busyMs: number;
}

/** The worker, as the React thread sees it through Comlink. */
export interface Gateway
  extends AccountGateway,
    TradingGateway,
    WalletGateway,
    MiningGateway,
    NewsGateway,
    RankingGateway,
    CompaniesGateway {
  /** Opens the link and asks for the first data (architecture.md#worker-lifecycle). Called once, before React. */
  start(options: Start): void;
  /** From now on frames go through this port, each once something watched has changed. Called once. */
  sendFrames(port: FramePort<Frame, number>): void;
  watch(change: Watch): void;
  /** Starts the socket where there is none; leaves a healthy one alone (screens.md#routing: on every navigation). */
  ensureConnected(): void;
  setVisible(visible: boolean): void;
  setOnline(online: boolean): void;
  setLanguage(language: Language): void;
  /** As `Start.dataSaver`. */
  setDataSaver(dataSaver: boolean): void;
  /** The least time between two frames of the list, ms; the instrument of the chart is drawn three times as often (D68). */
  setPace(pace: number): void;
  /** What came over the socket so far. `timed`: until told otherwise, how long it takes to work on that is measured, too. */
  traffic(timed: boolean): Traffic;
  /** Rows `from` to `to` (excluded) of the list. Nothing is fetched. */
  rows(query: ListQuery, from: number, to: number): ListWindow;
  /** One row by its instrument's code; where the code is unknown or undefined the first of the list that is open, or the first. */
  row(code: string | undefined): ListRow | undefined;
  /** GET trade_list anew (screens.md#routing: on entering / and /trade, and by pulling). */
  refreshList(): Promise<Result<void>>;
  /** GET getCategories, cached for the language. */
  categories(): Promise<Result<Category[]>>;
  /** Closes of the last 24 h, oldest first, cached for a minute (abbreviated_cache_kline). */
  sparklines(ids: number[]): Promise<Result<Record<number, Float32Array>>>;
  /** The 500 bars before the oldest (kline `before`); they arrive as a frame. */
  loadOlder(key: CandlesKey): Promise<Result<void>>;
  /** Tries again after `Candles.failure`. */
  reloadCandles(key: CandlesKey): void;
}
