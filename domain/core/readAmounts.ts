/** Readers of exact amounts, apart from the others, because the page's first script reads none. */
import { type Decimal, parseDecimal } from './decimal';
import type {
  CurrencyAmount,
  FeeRate,
  Leverage,
  Lots,
  Percent,
  Price,
  UnitsPerLot,
  Usd,
  UsdRate,
} from './units';

/** An exact decimal without a unit, as a number or as text. */
export function readDecimal(value: unknown): Decimal | undefined {
  return parseDecimal(value);
}

type ReadQuantity<T extends Decimal> = (value: unknown) => T | undefined;

/** Exact decimals with their unit, as a number or as text. */
export const readUsd = parseDecimal as ReadQuantity<Usd>;
export const readPrice = parseDecimal as ReadQuantity<Price>;
export const readLots = parseDecimal as ReadQuantity<Lots>;
export const readUnitsPerLot = parseDecimal as ReadQuantity<UnitsPerLot>;
export const readLeverage = parseDecimal as ReadQuantity<Leverage>;
export const readFeeRate = parseDecimal as ReadQuantity<FeeRate>;
export const readPercent = parseDecimal as ReadQuantity<Percent>;
export const readUsdRate = parseDecimal as ReadQuantity<UsdRate>;
export const readCurrencyAmount = parseDecimal as ReadQuantity<CurrencyAmount>;
