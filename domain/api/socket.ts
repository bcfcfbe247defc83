import {
  type Fields,
  readDrawnPrice,
  readFields,
  readInteger,
  readOptional,
  readText,
} from '../core/read';
import { LATEST_MS } from '../core/time';
import type { AlertRow } from './alerts';
import type { KlineRow } from './market';
import type { OrderRow } from './trading';

/** Topics of the websocket (protocol.md#topics). */
export type PublicTopic = 'DAY_MARKET' | `KLINE.${string}`;
export type PrivateTopic = 'FOREX_TRADE' | 'FOREX_CLOSED';
export type Topic = PublicTopic | PrivateTopic;

/** Most subscriptions in the address of a socket, and their longest JSON (protocol.md#subscriptions-in-the-address). */
export const MOST_IN_ADDRESS = 8;
export const LONGEST_IN_ADDRESS = 2048;

export interface SubscribeMessage {
  type: 'sub';
  topic: Topic;
  codes?: string[];
  interval?: number;
  compact?: 1;
}

/** What the client sends (protocol.md#websocket). */
export type ClientMessage =
  | { type: 'ping' }
  | SubscribeMessage
  | { type: 'unsub'; topic: Topic }
  | { type: 'login'; token: string }
  | { type: 'logout' };

/** One tick of DAY_MARKET as it is sent. */
export interface TickRow {
  Id: number;
  Code: string;
  Close: string;
  Open: string;
  Change: string;
  /** Traded since the last tick. */
  Volume: string;
  /** Unix milliseconds, the market's clock. */
  Time: number;
  MarketStatus: number;
  /** The best prices at which others buy and sell, where the feed has them. */
  Bid?: string;
  Ask?: string;
}

/** One tick of DM, the compact form of DAY_MARKET: Id, Close, Time, Volume, and what changed of Open, MarketStatus, Bid and Ask. */
export type CompactTickRow = [
  id: number,
  close: string,
  time: number,
  volume: string,
  open?: string | null,
  marketStatus?: number | null,
  bid?: string | null,
  ask?: string | null,
];

/** What the server sends. */
export type ServerMessage =
  | { type: 'pong'; now?: number; wall?: number }
  | { type: 'DAY_MARKET'; data: TickRow | TickRow[] }
  | { type: 'DM'; data: CompactTickRow[] }
  | { type: `KLINE.${string}`; data: KlineRow }
  | { type: 'FOREX_TRADE'; data: OrderRow }
  | { type: 'FOREX_CLOSED'; data: { Id: number; Order: OrderRow } }
  | { type: 'FOREX_ALERT'; data: AlertRow }
  | { type: 'SETTINGS'; data: { revision: number } }
  | { type: 'login'; code: number }
  | { type: 'error'; msg: string };

/** A message of the server with an unread payload. */
export type Received = Fields & { readonly type: string };

/** Result of decoding a message. Invalid JSON is logged, a message without a type is a warning; both are dropped (protocol.md#malformed-messages). */
export type Decoded = Received | 'invalid-json' | 'untyped';

/** The longest message that is parsed, in characters. Ten thousand instruments take two million. */
const LONGEST_MESSAGE = 16_000_000;

/** Decodes a websocket message. A binary or too long one counts as invalid JSON. */
export function decodeMessage(data: unknown): Decoded {
  if (typeof data !== 'string' || data.length > LONGEST_MESSAGE) return 'invalid-json';
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return 'invalid-json';
  }
  const fields = readFields(value);
  return typeof fields?.['type'] === 'string' ? (fields as Received) : 'untyped';
}

/** A tick. Callers reuse one object for all ticks, to allocate nothing. NaN where the server sends nothing. */
export interface Tick {
  /** 0: there is no price. */
  close: number;
  open: number;
  change: number;
  time: number;
  /** Undefined: unchanged. */
  marketOpen: boolean | undefined;
  /** NaN: unchanged; 0: there is none any more. */
  bid: number;
  ask: number;
  /** Why it is closed, for the user; undefined: unchanged, empty: none. */
  closedReason: string | undefined;
}

export function emptyTick(): Tick {
  return {
    close: Number.NaN,
    open: Number.NaN,
    change: Number.NaN,
    time: Number.NaN,
    marketOpen: undefined,
    bid: Number.NaN,
    ask: Number.NaN,
    closedReason: undefined,
  };
}

/**
 * Reads `row` into `tick`. Returns the code of the instrument, or its id where there is no code; undefined where both or
 * the price are missing or can't be read: then `tick` must not be used.
 */
export function readTick(row: unknown, tick: Tick): string | number | undefined {
  const fields = readFields(row);
  if (!fields) return undefined;
  tick.change = readOptional(fields['Change']);
  tick.bid = readDrawnPrice(fields['Bid']);
  tick.ask = readDrawnPrice(fields['Ask']);
  tick.closedReason = readText(fields['ClosedReason']);
  return readNumbers(tick, fields['Close'], fields['Open'], fields['Time'], fields['MarketStatus'])
    ? readText(fields['Code']) || readInteger(fields['Id'])
    : undefined;
}

/**
 * Reads a compact row into `tick` (protocol.md#compact-quotes). Returns the id of the instrument;
 * undefined where it or the price is missing or can't be read.
 */
export function readCompactTick(row: unknown, tick: Tick): number | undefined {
  if (!Array.isArray(row)) return undefined;
  const id = readInteger(row[0]);
  tick.change = Number.NaN;
  tick.bid = readDrawnPrice(row[6]);
  tick.ask = readDrawnPrice(row[7]);
  tick.closedReason = undefined;
  return readNumbers(tick, row[1], row[4], row[2], row[5]) ? id : undefined;
}

function readNumbers(
  tick: Tick,
  close: unknown,
  open: unknown,
  time: unknown,
  marketStatus: unknown,
): boolean {
  tick.close = readDrawnPrice(close);
  tick.open = readDrawnPrice(open);
  tick.time = readOptional(time);
  if (!(tick.time > 0 && tick.time <= LATEST_MS)) tick.time = Number.NaN;
  const status = readOptional(marketStatus);
  tick.marketOpen = Number.isNaN(status) ? undefined : status === 1;
  return !Number.isNaN(tick.close);
}
