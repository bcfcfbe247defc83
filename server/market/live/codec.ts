import type { DurationMs, UnixMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';

/** What one message of an exchange says. `symbol` is the exchange's own name of a pair. */
export type LiveEvent =
  | LiveTrade
  | { kind: 'book'; symbol: string; bid: number; ask: number }
  /** The connection lives: a heartbeat, a pong, an answer. `time`: when the exchange sent it. */
  | { kind: 'alive'; time?: UnixMs }
  /** The exchange has accepted a subscription; from here on no trade of the symbol is missed. */
  | { kind: 'subscribed'; symbol: string }
  /** The exchange has refused a symbol. */
  | { kind: 'refused'; reason: string; symbol: string }
  /**
   * The exchange has taken or refused a message as a whole: one of `request`, or the oldest that has no answer. `taken`:
   * the symbols that are subscribed now, where it lists them.
   */
  | { kind: 'answered'; request?: string; refused?: string; taken?: readonly string[] }
  /** The exchange asks for another connection. */
  | { kind: 'reconnect' }
  /** A message that is known and of no use here. */
  | { kind: 'ignored'; what: string }
  /** A message that is not understood. */
  | { kind: 'malformed'; reason: string };

export interface LiveTrade {
  kind: 'trade';
  symbol: string;
  price: number;
  /** In the base currency. */
  volume: number;
  /** When it was made, by the exchange's clock. */
  time: UnixMs;
  /** Unique among the symbol's trades; equal ids are one trade. */
  id: string;
  /** From before the subscription: it may have been told before. */
  past?: boolean;
}

/** A decoded message. */
export interface Decoded {
  events: readonly LiveEvent[];
  /** Counts the messages of a connection, where the exchange does; a gap means that some were lost. */
  sequence?: number;
}

/** A pair as the exchange lists it. */
export interface ListedPair {
  /** Its name in subscriptions and messages. */
  symbol: string;
  /** Its name in calls for klines. */
  restSymbol: string;
  base: string;
  quote: string;
  /** Decimals of a price. */
  precision: number;
  /** The smallest order, in the base currency; 0 where unknown. */
  minimum: number;
  /** Traded in the last 24 h, in the quote currency; orders the catalogue. */
  turnover: number;
  /** 0 where unknown. */
  price: number;
}

/**
 * Reads a path of the exchange's REST interface, paced as the exchange asks; throws where it fails. `turns`: for how
 * many calls it counts.
 */
type Get = (path: string, turns?: number) => Promise<unknown>;

/**
 * One exchange: its addresses and messages, and nothing that waits or remembers
 * (docs/feeds.md). All functions are pure, apart from what `get` reads.
 */
export interface Codec {
  /** As on the command line. */
  readonly key: string;
  /** As users read it. */
  readonly name: string;
  /** Where the terms are under which the data may be used. */
  readonly terms: string;
  readonly websocket: string;
  readonly rest: string;
  readonly limits: {
    /** Pairs of one connection. */
    symbolsPerConnection: number;
    /** Pairs of one request. */
    symbolsPerRequest: number;
    /** The shortest time between two messages that we send. */
    messageEvery: DurationMs;
    /** The shortest time between two REST calls. */
    callEvery: DurationMs;
    /** Bars that `klines` gives at once. */
    klinesPerCall: number;
    /** The exchange tells the latest bars only, whatever is asked for; others are read call by call. */
    latestKlinesOnly?: true;
    /** The exchange ends connections that are older; they are replaced before. */
    connectionLife: DurationMs;
  };
  /**
   * Messages that subscribe to trades and, where the feed has it, the top of the book. `request`: what answers repeat,
   * where the exchange does so.
   */
  subscribe(symbols: readonly string[], request: string): string[];
  /** A bar may open at the close of the last one instead of at its first trade; what klines say decides. */
  readonly mayOpenAtClose?: true;
  /** A message that the exchange answers; undefined where a ping of the websocket protocol is used. */
  readonly ping: string | undefined;
  decode(text: string): Decoded;
  /** Pairs that are traded now. */
  pairs(get: Get): Promise<ListedPair[]>;
  /**
   * The bars of a period that start at or after `since`, oldest first: those of `klinesPerCall` periods; the last one
   * may be open.
   */
  klines(get: Get, pair: ListedPair, period: Period, since: UnixMs, now: UnixMs): Promise<Bar[]>;
}
