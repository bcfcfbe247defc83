import { type Decimal, toDecimal, toText } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import type { Lots, Price, Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { QuoteFill } from '#domain/trading/fill';
import type { FeeType } from '#domain/trading/margin';
import type { AmendedTerms, Exits } from '#domain/trading/matching';
import type { OrderState } from '#domain/trading/orderState';
import type { OrderRequest } from '#domain/trading/rules';
import type { Entry } from '../ledger/entries';
import type { FillWindow } from '../trading/bust';

/** What has changed orders, with all that it was given. */
export type OrderCause =
  | { kind: 'submit'; userId: number; instrumentId: number; request: OrderRequest }
  | { kind: 'close'; userId: number; id: number; lots: Lots; seen: Lots }
  | { kind: 'cancel'; userId: number; id: number }
  | { kind: 'amend'; userId: number; id: number; terms: AmendedTerms }
  | { kind: 'exits'; userId: number; id: number; exits: Exits }
  | { kind: 'reset'; userId: number }
  | { kind: 'delisted'; userId: number; code: string; price: Price }
  | { kind: 'bust'; userId: number; bust: RecordedBust; fills: readonly OrderState[]; lifted: Usd }
  | { kind: 'tick'; instrumentId: number; time: UnixMs }
  | { kind: 'nights'; time: UnixMs; users: readonly number[]; last: boolean }
  | { kind: 'expiry'; time: UnixMs };

/** Without the operator's words. */
type RecordedBust = FillWindow & { price: Price | undefined };

/** How a process matches orders. */
export interface MatchingSettings {
  feed: string;
  feeType: FeeType;
  quoteFill: QuoteFill;
  swap: boolean;
}

/** An instrument's quote, and its prices as matching has seen them, which may be older. */
export interface SeenQuote {
  id: number;
  price: number;
  time: UnixMs;
  open: boolean;
  bid?: number;
  ask?: number;
  /** For a buyer, for a seller, and the latest; true: as the quote has them; absent before matching has seen any. */
  seen?: true | readonly [Price, Price, Price];
}

/** What matching has learnt of the market since the last command. */
export interface SeenMarket {
  /** Its clock. */
  now: UnixMs;
  /** Orders were read from the database again. */
  reloaded?: true;
  quotes: SeenQuote[];
  /** Stops that have followed the price: user, order, stop-loss. */
  stops: (readonly [number, number, Price])[];
}

/** The terms of an instrument that matching needs. */
export type RecordedTerms = Omit<Instrument, 'logo' | 'hours'>;

/** The details of each kind of command, without `kind` and `userId`, which are columns. */
export interface Details {
  /** All that is open, and all balances: commands are played from here on. */
  base: MatchingSettings & {
    orders: OrderState[];
    accounts: (readonly [number, string, string])[];
    lastOrderId: number;
    lastEntryId: number;
  };
  /** A process has started; nights count from here. */
  start: MatchingSettings & { nightsFrom: UnixMs | null };
  /** Before the first command of a process that needs it. */
  terms: RecordedTerms;
  order: {
    cause: OrderCause;
    market: SeenMarket;
    /** The id of the order that it has created. */
    orderId?: number;
    /** The id of its first entry. */
    entryId?: number;
  };
  /** Stops that were written with the feed's position. */
  stops: { stops: SeenMarket['stops'] };
  /** An account was opened. */
  open: Record<never, never>;
  /** Unused accounts were removed. */
  erase: { userIds: number[] };
  /** Money was moved by something else than orders. */
  post: { entries: Omit<Entry, 'memo'>[]; entryId: number };
}

/** As JSON, with decimals as their text. A replacer would take JSON.stringify three times as long, at each order. */
export function encodeDetails(details: object): string {
  return JSON.stringify(plain(details));
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (isDecimal(value)) return { decimal: toText(value) };
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = plain((value as Record<string, unknown>)[key]);
  return copy;
}

/** Reads what `encodeDetails` has written. */
export function decodeDetails<T>(text: string): T {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'decimal' in value
      ? toDecimal(String(value.decimal))
      : value,
  ) as T;
}

function isDecimal(value: object): value is Decimal {
  return 'digits' in value && 'scale' in value;
}
