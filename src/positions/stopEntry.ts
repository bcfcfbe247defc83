import {
  absolute,
  add,
  type Decimal,
  decimal,
  isZero,
  maximum,
  negate,
  parseDecimal,
  product,
  quotient,
  sign,
  subtract,
  toFixed,
  toNumber,
  toText,
} from '#domain/core/decimal';
import type { RuleKey } from '#domain/core/rule';
import { type Percent, type Price, toPercent, toPrice, toUsd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
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

/** The forms of a trailing distance; percent is of the price that it is opened at. */
export const DISTANCE_UNITS: readonly StopUnit[] = ['price', 'percent'];

/** A stop as it is entered, in one of its forms (domain.md#stop-entry). */
export interface StopEntry {
  on: boolean;
  unit: StopUnit;
  text: string;
  /** A stop-loss that follows the price: the text is its distance. */
  trailing?: boolean;
}

export const NO_STOP: StopEntry = { on: false, unit: 'price', text: '' };

/** The entry of a stop at `price`; a price of 0 means no stop. */
export function stopEntryOf(price: Price, precision: number): StopEntry {
  if (isZero(price)) return NO_STOP;
  return { on: true, unit: 'price', text: writeTyped(toFixed(price, precision)) };
}

/** The entry of an order's stop. */
export function stopEntryOfOrder(order: Order, kind: StopKind): StopEntry {
  const { trailing, precision } = order;
  return kind === 'stopLoss' && !isZero(trailing)
    ? distanceEntry(trailing, precision)
    : stopEntryOf(order[kind], precision);
}

/** The entry of a stop-loss that follows the price at a distance. */
export function distanceEntry(distance: Price, precision: number): StopEntry {
  const text = writeTyped(toFixed(distance, precision));
  return { on: true, unit: 'price', text, trailing: true };
}

/** What is wrong with the text itself of a stop that is on. */
export function stopEntryProblem({ on, text, trailing }: StopEntry): RuleKey | undefined {
  if (!on) return undefined;
  const read = readTyped(text);
  if (read === undefined) return 'notANumber';
  if (read === '') return trailing ? 'distanceRequired' : 'priceRequired';
  const value = parseDecimal(read);
  return trailing && value && sign(value) <= 0 ? 'distanceNotPositive' : undefined;
}

/**
 * The distance of a trailing stop-loss, at least a point; undefined where it is off, empty, unreadable or
 * can't be computed yet.
 */
export function readDistance(
  entry: StopEntry,
  position: StoppedPosition | undefined,
): Price | undefined {
  const value = parseDecimal(readTyped(entry.text));
  if (!entry.on || !entry.trailing || !value) return undefined;
  if (entry.unit === 'price') return toPrice(value);
  if (!position || sign(value) <= 0) return undefined;
  const { price, precision } = position;
  const share = quotient(product(price, value), decimal(100), precision);
  return toPrice(maximum(share, decimal(1, precision)));
}

/** The plain distance of a trailing stop-loss, as an order carries it; empty where it does not trail. */
export function stopDistance(entry: StopEntry, position: StoppedPosition | undefined): string {
  const distance = readDistance(entry, position);
  return distance ? toText(distance) : '';
}

/** A distance in percent of the price, two decimals. */
export function distancePercent(distance: Price, { price }: StoppedPosition): Percent {
  return toPercent(quotient(product(distance, decimal(100)), price, 2));
}

/** The stop-loss as a fixed price, or following the price at the same distance. */
export function withTrailing(
  entry: StopEntry,
  trailing: boolean,
  position: StoppedPosition | undefined,
): StopEntry {
  const empty: StopEntry = { on: true, unit: 'price', text: '', trailing };
  if (!position) return empty;
  const { side, price, precision } = position;
  if (trailing) {
    const stop = readStop(entry, 'stopLoss', position)?.price;
    const distance = stop && (side === 'buy' ? subtract(price, stop) : subtract(stop, price));
    return distance && sign(distance) > 0 ? distanceEntry(distance, precision) : empty;
  }
  const distance = readDistance(entry, position);
  const stop = distance && (side === 'buy' ? subtract(price, distance) : add(price, distance));
  return stop && sign(stop) > 0 ? stopEntryOf(stop, precision) : empty;
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
  if (!entry.on || entry.trailing || !value || !position) return undefined;
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
  if (!entry.on || entry.trailing) return '';
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
  if (entry.trailing) {
    const distance = readDistance(entry, position);
    if (!position || !distance) return { ...entry, unit, text: '' };
    const inPrice = distanceEntry(distance, position.precision);
    if (unit === 'price') return inPrice;
    return { ...inPrice, unit, text: writeTyped(toFixed(distancePercent(distance, position), 2)) };
  }
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
