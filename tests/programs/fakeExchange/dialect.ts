import type { ExchangeMarket, Pair, Trade } from './market';

/** A connection as a dialect sees it. */
export interface Session {
  /** `trade BTC/USD`, `book BTC/USD`, `heartbeat`. */
  readonly subscribed: Set<string>;
  readonly market: ExchangeMarket;
  now(): number;
  /** Numbers the messages of this connection, from 0. */
  nextNumber(): number;
  /** Strings as they are, everything else as JSON. */
  send(message: unknown): void;
  /** A subscription to so many pairs or topics came. */
  subscribing(count: number): void;
  /** The client asks whether the connection lives. */
  pinged(): void;
}

/** How one exchange speaks. */
export interface Dialect {
  readonly path: RegExp;
  readonly pairs: readonly Pair[];
  readonly limits: {
    /** Pairs a message. */
    perMessage: number;
    messagesPerSecond: number;
    /** New connections in ten minutes. */
    connections: number;
    /** Pairs a connection. */
    pairs: number;
    /** A client that has heard nothing for so long has to ping, ms; otherwise the exchange ends the connection. */
    pingAfter: number;
  };
  received(text: string, session: Session): void;
  /** Trades of one pair. */
  trades(trades: readonly Trade[], session: Session): unknown;
  topOfBook(pair: Pair, session: Session): unknown;
  /** What comes each second. */
  heartbeat?(session: Session): unknown;
  /** The answer of REST, or undefined. */
  rest(url: URL, market: ExchangeMarket): unknown;
}

/** 1 to `count` of a pair in USD or USDT. */
export function pairsIn(quote: string): Pair[] {
  return ['BTC', 'ETH', 'SOL'].map((base) => ({ base, quote, decimals: 2 }));
}

export const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** The pair whose name `write` writes as `name`. */
export function pairNamed(
  name: string | null | undefined,
  market: ExchangeMarket,
  write: (pair: Pair) => string,
): Pair | undefined {
  return market.pairs.find((pair) => write(pair) === name);
}
