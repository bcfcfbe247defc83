import {
  compare,
  type Decimal,
  decimal,
  isZero,
  multiply,
  negate,
  parseDecimal,
  quotientDown,
  toFixed,
  toNumber,
  toText,
} from '#domain/core/decimal';
import { readLots } from '#domain/core/readAmounts';
import type { Lots, Price } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { unitsIn, valueAt } from '#domain/trading/notional';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { boughtSymbol } from '../../../instruments/boughtSymbol';

const ONE = decimal(1);

/** What the size of an order is typed in (domain.md#size-entry). */
export type SizeUnit = 'lots' | 'units' | 'usd';

/** A size that is typed in another unit than lots. */
export interface SizeEntry {
  unit: Exclude<SizeUnit, 'lots'>;
  /** As typed; without it the lots decide, which were set otherwise since. */
  text?: string;
}

/** The units that the size of an order in the instrument may be typed in. */
export function sizeUnits({ code, lotStep }: Instrument): SizeUnit[] {
  // Without a step nothing says to which lots an amount is rounded.
  if (isZero(lotStep)) return ['lots'];
  return boughtSymbol(code) === undefined ? ['lots', 'usd'] : ['lots', 'units', 'usd'];
}

/** Lots in another unit: USD at a price, undefined without one. */
function amountOf(
  lots: Lots,
  unit: SizeEntry['unit'],
  { unitsPerLot }: Instrument,
  price: Price | undefined,
): Decimal | undefined {
  const units = unitsIn(lots, unitsPerLot);
  return unit === 'units' ? units : price && valueAt(units, price);
}

/** The text of the size in its unit: as typed, else as the lots are. Cents are rounded up, so that they are enough for the lots. */
export function sizeText(
  { unit, text }: SizeEntry,
  lots: string,
  instrument: Instrument,
  price: Price | undefined,
): string {
  if (text !== undefined) return text;
  const read = readLots(parseNumber(lots));
  const amount = read && amountOf(read, unit, instrument, price);
  if (!amount) return '';
  const shown =
    unit === 'usd' ? toFixed(negate(quotientDown(negate(amount), ONE, 2)), 2) : toText(amount);
  return formatNumberInput(shown);
}

/** The most lots in whole steps that a typed amount is enough for, as text; empty where it is no number or has no price. */
export function lotsFor(
  { unit, text = '' }: SizeEntry,
  instrument: Instrument,
  price: Price | undefined,
): string {
  const typed = parseDecimal(parseNumber(text));
  const step = amountOf(instrument.lotStep, unit, instrument, price);
  if (!typed || !step || isZero(step)) return '';
  const steps = quotientDown(typed, step, 0);
  return formatNumberInput(toText(multiply(instrument.lotStep, steps)));
}

/** The lots as a place between the smallest and the largest order, in steps. */
export interface SizeRange {
  least: number;
  most: number;
  now: number;
}

/** Undefined where nothing can be ordered. */
export function sizeRange(
  lots: string,
  most: Lots | undefined,
  { lotStep, minLots }: Instrument,
): SizeRange | undefined {
  if (!most || isZero(lotStep) || compare(most, minLots) < 0) return undefined;
  const stepsOf = (size: Lots) => toNumber(quotientDown(size, lotStep, 0));
  const read = readLots(parseNumber(lots));
  return {
    least: Math.max(1, stepsOf(minLots)),
    most: stepsOf(most),
    now: read ? stepsOf(read) : 0,
  };
}

/** So many steps of the instrument's lots, as text. */
export function lotsOfSteps(steps: number, { lotStep }: Instrument): string {
  return formatNumberInput(toText(multiply(lotStep, decimal(steps))));
}
