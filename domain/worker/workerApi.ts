/**
 * The contract of the worker: the calls that the page can make, and the Frame it gets.
 * Everything crosses Comlink by value; no callbacks do.
 */

import type { CallName } from '../api/subjects';
import type { Language } from '../core/language';
import type { Failure, Result } from '../core/result';
import type { DurationMs } from '../core/time';
import type { IndicatorSpec } from '../indicators/catalogue';
import type { CandlesKey } from '../market/candles';
import type { Order } from '../trading/order';
import type { AccountFrame, AccountWorkerApi } from './account';
import type { AlertEvent, AlertsWorkerApi } from './alerts';
import type { GridFrame, GridWorkerApi } from './grid';
import type { MarketFrame, MarketWorkerApi, RecalledInstrument } from './market';
import type { PracticeFrame, PracticeWorkerApi } from './practice';
import type { PushWorkerApi } from './push';
import type { RequestSettled, RequestsFrame, RequestsWorkerApi } from './requests';
import type { TradingEvent, TradingFrame, TradingWorkerApi } from './trading';

/** What the worker needs to know of the page when it starts. */
export interface Start {
  language: Language;
  /** Origin, title, the configured fallback host (empty: the origin) and the registrable domains that the server has written: they decide the base address (protocol.md#base-address). */
  page: { origin: string; title: string; fallbackHost: string; domains: readonly string[] };
  /** The version of the running build, as in its manifest.json; empty: no `new-version` events. */
  version: string;
  visible: boolean;
  online: boolean;
  /** Another address that returns the complaint email where the server has none (protocol.md#complaint-email); empty: none. */
  complaintUrl?: string;
  /** Subscribe only instruments in sight, each quote at most once a second. */
  dataSaver: boolean;
  /** The page is one window of several: subscribe only instruments in sight, at a quote of each in 250 ms where all of them have charts. */
  narrow?: boolean;
  /** What the page shows until there is a list: its quotes are subscribed at once, and come before the list. */
  recalled?: readonly RecalledInstrument[];
}

/**
 * Whether the figures on screen can be trusted (protocol.md#staleness). `slow`: they come over HTTP every few seconds,
 * because no websocket works (protocol.md#without-a-websocket).
 */
export type ConnectionStatus = 'connecting' | 'live' | 'slow' | 'stale' | 'offline';

export interface ConnectionState {
  state: ConnectionStatus;
  /** Market clock minus this machine's clock, ms; undefined until a pong has come. */
  marketOffset: DurationMs | undefined;
  /** The market replays a recording, by the server's clock: this machine's date may be wrong. */
  recorded?: boolean;
}

/** Numbers of one quote in `Frame.quotes`, in the order of `QUOTE`. */
export const QUOTE_STRIDE = 7;
/** Offsets in one quote: id, the fields of Quote (time NaN where unknown), wall clock of arrival, flags. */
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

/**
 * Events that the user must see exactly once, in order. Refused and failed calls of the user come as
 * `notice` and `failure` (screens.md#messages), besides the Result that the caller gets. The
 * caller must not show it a second time.
 */
export type WorkerEvent =
  | TradingEvent
  | AlertEvent
  | RequestSettled
  /** A text of the server (screens.md#messages). `closed`: the order, or the part of one, that it says is closed. */
  | { type: 'notice'; tone: 'info' | 'error'; text: string; closed?: Order }
  | { type: 'failure'; failure: Failure }
  /** The spinner that blocks clicks (screens.md#busy-overlay). */
  | { type: 'busy'; busy: boolean }
  /** The host of the API has not answered since the start; undefined: it has by now, or there is no network. */
  | { type: 'silent'; host: string | undefined; isPortal: boolean }
  /** Settings of the account were written, or may have been (protocol.md#settings-push). */
  | { type: 'settings-changed'; revision: number | undefined }
  /** Code 999 (protocol.md#errors): the session has ended; go to /login unless the call was an initial one. */
  | { type: 'signed-out'; initial: boolean }
  /** App status is not 0 (protocol.md#app-status): leave for this address; empty where the server gives none. */
  | { type: 'leave'; url: string }
  /** The page's own manifest names another version, which the server may require (protocol.md#manifest). */
  | { type: 'new-version'; version: string; required: boolean };

/**
 * Changes since the last frame, of what is watched (architecture.md#frames). State is
 * last-value-wins; events are an ordered queue that drops nothing.
 */
export interface Frame
  extends MarketFrame,
    GridFrame,
    TradingFrame,
    AccountFrame,
    RequestsFrame,
    PracticeFrame {
  connection?: ConnectionState;
  events?: WorkerEvent[];
  /** Whether the browser does not store what the user would miss, such as the login. */
  unsaved?: boolean;
}

/** Least time between two frames, ms: the eye sees no more, and each costs as much as a dozen quotes. */
export const FRAME_MS = 60;

/**
 * The most frames that the worker sends ahead of what the page has applied: a busy page gets
 * fewer, fuller frames.
 */
export const FRAMES_AHEAD = 16;
/** The page acknowledges this many applied frames by one message, because a message costs more than a frame. */
export const FRAMES_PER_ACK = 8;

/** The part of MessagePort that is used. */
export interface FramePort<Sent, Received> {
  postMessage(message: Sent, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: { data: Received }) => void) | null;
}

/**
 * The indicators of a chart: their values come with its bars, in `Candles.indicators`, as long as it is watched. They
 * replace those that were named before; none: nothing is computed any more. Specs have no problems (`isIndicatorSpec`).
 * Older bars are loaded where the present session of VWAP or pivot points needs them
 * (domain.md#sessions-of-indicators).
 */
export interface ChartIndicatorSpecs {
  key: CandlesKey;
  specs: readonly IndicatorSpec[];
}

/** Changes of what is on screen; only this is subscribed and sent (architecture.md#frames). */
export interface Watch {
  instruments?: { add: number[]; remove: number[] };
  candles?: { add: CandlesKey[]; remove: CandlesKey[] };
  indicators?: ChartIndicatorSpecs;
  /** Whether a screen shows the summary of the account. */
  account?: boolean;
}

/** Totals since the worker began. */
export interface Traffic {
  /** Messages over the websocket. */
  messages: number;
  /** Their characters; as many bytes unless they are outside of ASCII. */
  characters: number;
  /** Time spent on messages and frames, ms; grows only while it is measured. */
  busyMs: number;
}

/** How a declared call is made. */
export interface AskOptions {
  /** The Idempotency-Key of the user's action, for a call that is done once. */
  key?: string;
  /** Shows the busy overlay until it is answered (screens.md#busy-overlay). */
  busy?: boolean;
  /** Nobody has asked for it now: a failure is not shown. */
  quiet?: boolean;
  /** The id of the user whose call it is: where another one is logged in by now, it is not made. */
  user?: number;
  /** Asks for the answer that an earlier call has left on this device, for when the server does not answer. */
  cached?: boolean;
}

/** The worker, as the page sees it through Comlink. */
export interface WorkerApi
  extends MarketWorkerApi,
    GridWorkerApi,
    AccountWorkerApi,
    TradingWorkerApi,
    AlertsWorkerApi,
    PracticeWorkerApi,
    PushWorkerApi,
    RequestsWorkerApi {
  /** Connects and fetches the first data (architecture.md#worker-lifecycle). Called once, before React. */
  start(options: Start): void;
  /** Sends frames through this port from now on, whenever something watched has changed. Called once. */
  sendFrames(port: FramePort<Frame, number>): void;
  watch(change: Watch): void;
  /** Connects at once if there is no socket; leaves a healthy one alone. Called on every navigation (screens.md#routing), and when the user touches a page without a connection. */
  retryNow(): void;
  setVisible(visible: boolean): void;
  setOnline(online: boolean): void;
  /** The browser is about to freeze the page, or has thawed it. */
  setFrozen(frozen: boolean): void;
  setLanguage(language: Language): void;
  /** As `Start.dataSaver`. */
  setDataSaver(dataSaver: boolean): void;
  /** Sets the least time between two frames, ms (D68). */
  setFrameInterval(frameInterval: number): void;
  /** Returns the traffic so far. `timed`: whether to measure `busyMs` from now on. */
  traffic(timed: boolean): Traffic;
  /** Makes a call that `domain/api` declares. A read that fails is no event: the screen that asked shows it. */
  api(name: CallName, params: object, options?: AskOptions): Promise<Result<unknown>>;
  /** Where the API is (protocol.md#base-address), once it is known. */
  serverOrigin(): Promise<string>;
  /** The registrable domains that are known of the page's host (D143): those of its server, otherwise of the public suffix list. */
  ownDomains(): Promise<readonly string[]>;
}
