import {
  absolute,
  type Decimal,
  decimal,
  isZero,
  negate,
  parseDecimal,
  sign,
  toFixed,
  toNumber,
  toText,
} from '#domain/core/decimal';
import { type Price, toPercent, toPrice, toUsd } from '#domain/core/units';
import {
  type StopForms,
  type StoppedPosition,
  stopFromPercent,
  stopFromPrice,
  stopFromProfit,
} from '#domain/trading/stops';
import { readTyped, writeTyped } from '../i18n/typed';

export type StopKind = 'stopLoss' | 'takeProfit';
export type StopUnit = 'price' | 'profit' | 'percent';
export const STOP_UNITS: readonly StopUnit[] = ['price', 'profit', 'percent'];

/** A stop as it is entered, in one of its three forms (domain.md#stop-entry). */
export interface StopEntry {
  on: boolean;
  unit: StopUnit;
  text: string;
}

export const NO_STOP: StopEntry = { on: false, unit: 'price', text: '' };

/** The entry of a stop at `price`; a price of 0 means no stop. */
export function stopEntryOf(price: Price, precision: number): StopEntry {
  if (isZero(price)) return NO_STOP;
  return { on: true, unit: 'price', text: writeTyped(toFixed(price, precision)) };
}

/**
 * The stop in its three forms; undefined where it is off, empty, unreadable or can't be computed
 * yet. An amount or percentage of a stop-loss is a loss unless it has a plus sign (D23).
 */
export function readStop(
  entry: StopEntry,
  kind: StopKind,
  position: StoppedPosition | undefined,
): StopForms | undefined {
  const value = parseDecimal(readTyped(entry.text));
  if (!entry.on || !value || !position) return undefined;
  if (entry.unit === 'price') return stopFromPrice(position, toPrice(value));
  const loss = kind === 'stopLoss' && !entry.text.trim().startsWith('+');
  const signed = loss ? negate(absolute(value)) : value;
  return entry.unit === 'profit'
    ? stopFromProfit(position, toUsd(signed))
    : stopFromPercent(position, toPercent(signed));
}

/** The plain price of a stop, as an order carries it; empty where there is none. */
export function stopPrice(
  entry: StopEntry,
  kind: StopKind,
  position: StoppedPosition | undefined,
): string {
  if (!entry.on) return '';
  // A price needs no position, so that it can be validated before the margin is known.
  if (entry.unit === 'price') return readTyped(entry.text) ?? '';
  const forms = readStop(entry, kind, position);
  return forms ? toText(forms.price) : '';
}

/** The same stop in another form. */
export function inUnit(
  entry: StopEntry,
  kind: StopKind,
  unit: StopUnit,
  position: StoppedPosition | undefined,
): StopEntry {
  const forms = readStop(entry, kind, position);
  const value = forms?.[unit];
  if (!position || !value) return { ...entry, unit, text: '' };
  const digits = unit === 'price' ? position.precision : 2;
  const plus = kind === 'stopLoss' && unit !== 'price' && sign(value) > 0 ? '+' : '';
  return { ...entry, unit, text: plus + writeTyped(toFixed(value, digits)) };
}

/** One step of a stop's price: 1, 2 or 5 of a decimal place, about a thousandth of the price. */
export function stopStep(price: Price, precision: number): Decimal {
  const thousandth = toNumber(price) / 1000;
  const exponent = Math.floor(Math.log10(thousandth));
  if (-exponent > precision) return decimal(1n, precision);
  const first = thousandth / 10 ** exponent;
  const digit = first >= 5 ? 5n : first >= 2 ? 2n : 1n;
  return exponent > 0 ? decimal(digit * 10n ** BigInt(exponent)) : decimal(digit, -exponent);
}
