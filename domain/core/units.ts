import type { Decimal } from './decimal';

declare const unit: unique symbol;
/** A value that carries its unit in the type: a price can't be passed where lots are meant. */
type Unit<T, Name extends string> = T & { readonly [unit]: Name };

/** US dollars, exact. The ledger keeps six decimals, people see two (§9). */
export type Usd = Unit<Decimal, 'usd'>;
/** A price in USD for one unit of the instrument, exact. */
export type Price = Unit<Decimal, 'price'>;
/** A quantity in lots (§3 Quantity), exact. */
export type Lots = Unit<Decimal, 'lots'>;
/** A leverage multiplier (§3 HasForexMultiple.Value); 0 where the margin is fixed. */
export type Multiplier = Unit<Decimal, 'multiplier'>;

/** Decimals of an amount of USD that is booked or entered (domain.md#rounding). */
export const CENTS = 2;

/** Milliseconds since 1970, UTC. */
export type UnixMs = number;
/** Seconds since 1970, UTC. */
export type UnixSeconds = number;

/** The last moment that a Date can hold. */
export const LATEST_MS: UnixMs = 8.64e15;
