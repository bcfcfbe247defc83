/**
 * The units of the product, as types (domain.md#units). Sums, differences, roundings and
 * multiples of a value keep its unit; products and quotients of two units are functions
 * with a name, such as `notional`. A value gets its unit where it is read (core/read), where
 * it comes from the database or a constant (`toUsd` …), and in those functions. A cast
 * elsewhere is a mistake.
 */
import type { Brand, Plain } from './brand';
import { type Decimal, toDecimal } from './decimal';

/** US dollars, exact. The ledger keeps six decimals, the page shows two (domain.md#rounding). */
export type Usd = Decimal & Brand<'usd'>;
/** A price, or a difference of prices: USD for one unit of the instrument, exact. */
export type Price = Decimal & Brand<'price'>;
/** A quantity in lots, exact (domain.md#lots). */
export type Lots = Decimal & Brand<'lots'>;
/** Units of the instrument in one lot, exact (domain.md#lots). */
export type UnitsPerLot = Decimal & Brand<'units-per-lot'>;
/** A quantity in units of the instrument, exact; negative for a short one. */
export type Units = Decimal & Brand<'units'>;
/** The leverage of an order; 0 where the margin is fixed (domain.md#leverage). */
export type Leverage = Decimal & Brand<'leverage'>;
/** USD a lot or a fraction of the margin, by the FeeType (domain.md#fee). */
export type FeeRate = Decimal & Brand<'fee-rate'>;
/** A share in percent: 20 is a fifth. */
export type Percent = Decimal & Brand<'percent'>;
/** Units of a currency for one USD (domain.md#wallet). */
export type UsdRate = Decimal & Brand<'usd-rate'>;
/** An amount of a currency in which money is deposited or withdrawn. */
export type CurrencyAmount = Decimal & Brand<'currency-amount'>;

/** Any of the exact units. */
type Quantity = Decimal & Brand<string>;

/**
 * Gives a decimal its unit. Takes its text as well, as a column of the database or a constant
 * of the code; throws RangeError where that is no decimal.
 */
function withUnit<T extends Quantity>(value: Plain<Decimal> | string | number): T {
  return (typeof value === 'object' ? value : toDecimal(value)) as T;
}

type UnitConstructor<T extends Quantity> = (value: Plain<Decimal> | string | number) => T;

export const toUsd: UnitConstructor<Usd> = withUnit;
export const toPrice: UnitConstructor<Price> = withUnit;
export const toLots: UnitConstructor<Lots> = withUnit;
export const toUnitsPerLot: UnitConstructor<UnitsPerLot> = withUnit;
export const toUnits: UnitConstructor<Units> = withUnit;
export const toLeverage: UnitConstructor<Leverage> = withUnit;
export const toFeeRate: UnitConstructor<FeeRate> = withUnit;
export const toPercent: UnitConstructor<Percent> = withUnit;
export const toUsdRate: UnitConstructor<UsdRate> = withUnit;
export const toCurrencyAmount: UnitConstructor<CurrencyAmount> = withUnit;

/** Decimals of an amount of USD that is booked or entered (domain.md#rounding). */
export const CENTS = 2;
