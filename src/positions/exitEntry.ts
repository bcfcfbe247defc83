import {
  absolute,
  add,
  compare,
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
import { CENTS, type Percent, type Price, toPercent, toPrice, toUsd } from '#domain/core/units';
import {
  type ExitForms,
  exitFromPercent,
  exitFromPrice,
  exitFromProfit,
  type PositionWithMargin,
} from '#domain/trading/exits';
import type { Order } from '#domain/trading/order';
import { formatNumberInput, hasPlus, parseNumber } from '../i18n/numberInput';

export type ExitKind = 'stopLoss' | 'takeProfit';
export type ExitUnit = 'price' | 'profit' | 'percent';
export const EXIT_UNITS: readonly ExitUnit[] = ['price', 'profit', 'percent'];

/** The forms of a trailing distance; percent is of the price that it is opened at. */
export const DISTANCE_UNITS: readonly ExitUnit[] = ['price', 'percent'];

/** An exit as it is entered, in one of its forms (domain.md#exit-entry). */
export interface ExitEntry {
  on: boolean;
  unit: ExitUnit;
  text: string;
  /** A stop-loss that follows the price: the text is its distance. */
  trailing?: boolean;
  /** The fixed stop-loss that a pending order can have besides, a plain price, until the user takes it off. */
  fixed?: { price: string; on: boolean };
}

/** The most decimals of a distance in percent. */
const MOST_DECIMALS = 8;

export const NO_EXIT: ExitEntry = { on: false, unit: 'price', text: '' };

/** The entry of an exit at `price`; a price of 0 means no exit. */
export function exitEntryOf(price: Price, precision: number): ExitEntry {
  if (isZero(price)) return NO_EXIT;
  return { on: true, unit: 'price', text: formatNumberInput(toFixed(price, precision)) };
}

/** The entry of an order's exit. */
export function exitEntryOfOrder(order: Order, kind: ExitKind): ExitEntry {
  const { trailing, precision, stopLoss } = order;
  if (kind !== 'stopLoss' || isZero(trailing)) return exitEntryOf(order[kind], precision);
  const entry = distanceEntry(trailing, precision);
  // The stop-loss of a position is where the distance has moved it to.
  return order.status === 'pending' && !isZero(stopLoss) ? withFixed(entry, stopLoss) : entry;
}

/** A stop-loss that follows the price, with a fixed one besides. */
export function withFixed(entry: ExitEntry, price: Price): ExitEntry {
  return { ...entry, fixed: { price: toText(price), on: true } };
}

/** The entry of a stop-loss that follows the price at a distance. */
export function distanceEntry(distance: Price, precision: number): ExitEntry {
  const text = formatNumberInput(toFixed(distance, precision));
  return { on: true, unit: 'price', text, trailing: true };
}

/** What is wrong with the text itself of an exit that is on. */
export function exitEntryProblem({ on, text, trailing }: ExitEntry): RuleKey | undefined {
  if (!on) return undefined;
  const read = parseNumber(text);
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
  entry: ExitEntry,
  position: PositionWithMargin | undefined,
): Price | undefined {
  const value = parseDecimal(parseNumber(entry.text));
  if (!entry.on || !entry.trailing || !value) return undefined;
  if (entry.unit === 'price') return toPrice(value);
  return position && sign(value) > 0 ? distanceOf(toPercent(value), position) : undefined;
}

/** A distance in percent of the price as a price, at least a point. */
function distanceOf(percent: Percent, { price, precision }: PositionWithMargin): Price {
  const share = quotient(product(price, percent), decimal(100), precision);
  return toPrice(maximum(share, decimal(1, precision)));
}

/** The plain distance of a trailing stop-loss, as an order carries it; empty where it does not trail. */
export function stopDistance(entry: ExitEntry, position: PositionWithMargin | undefined): string {
  const distance = readDistance(entry, position);
  return distance ? toText(distance) : '';
}

/**
 * A distance in percent of the price, with as many decimals, from two on, as it takes to be the same
 * distance again: two are coarser than a point where little moves the price.
 */
function distancePercent(distance: Price, position: PositionWithMargin): Percent {
  for (let decimals = CENTS; ; decimals++) {
    const share = quotient(product(distance, decimal(100)), position.price, decimals);
    const percent = toPercent(share);
    if (decimals === MOST_DECIMALS) return percent;
    const isSame = compare(distanceOf(percent, position), distance) === 0;
    if (sign(percent) > 0 && isSame) return percent;
  }
}

/** A distance in percent of the price, to be read: two decimals, more where these would leave less than two digits of it. */
export function shownPercent(distance: Price, { price }: PositionWithMargin) {
  const percent = toPercent(quotient(product(distance, decimal(100)), price, MOST_DECIMALS));
  const exponent = Math.floor(Math.log10(toNumber(percent)));
  const decimals = sign(percent) > 0 ? Math.max(CENTS, 1 - exponent) : CENTS;
  return { percent, decimals: Math.min(decimals, MOST_DECIMALS) };
}

/** One step of a distance in percent: a tenth, and below that a power of ten that it can be moved by. */
export function percentStep(percent: Decimal | undefined, direction: 1 | -1): Decimal {
  let scale = 1;
  const isTooLarge = (step: Decimal) => {
    const difference = percent && sign(percent) > 0 ? compare(step, percent) : -1;
    return direction > 0 ? difference > 0 : difference >= 0;
  };
  while (scale < MOST_DECIMALS && isTooLarge(decimal(1n, scale))) scale++;
  return decimal(1n, scale);
}

/** The stop-loss as a fixed price, or following the price at the same distance. */
export function withTrailing(
  entry: ExitEntry,
  trailing: boolean,
  position: PositionWithMargin | undefined,
): ExitEntry {
  const empty: ExitEntry = { on: true, unit: 'price', text: '', trailing };
  if (!position) return empty;
  const { side, price, precision } = position;
  if (trailing) {
    const stop = readExit(entry, 'stopLoss', position)?.price;
    const distance = stop && (side === 'buy' ? subtract(price, stop) : subtract(stop, price));
    return distance && sign(distance) > 0 ? distanceEntry(distance, precision) : empty;
  }
  if (entry.fixed) return exitEntryOf(toPrice(entry.fixed.price), precision);
  const distance = readDistance(entry, position);
  const stop = distance && (side === 'buy' ? subtract(price, distance) : add(price, distance));
  return stop && sign(stop) > 0 ? exitEntryOf(stop, precision) : empty;
}

/** Why an exit that is on would be sent as none: it can't be computed, or its price is zero. */
export function emptyExitProblem(
  entry: ExitEntry,
  kind: ExitKind,
  position: PositionWithMargin | undefined,
): RuleKey | undefined {
  const sent = entry.trailing ? stopDistance(entry, position) : stopPrice(entry, kind, position);
  if (!entry.on || Number(sent) !== 0) return undefined;
  return position || entry.unit === 'price' ? 'priceNotPositive' : 'noPrice';
}

/**
 * The exit in its three forms; undefined where it is off, empty, unreadable or can't be computed
 * yet. An amount or percentage of a stop-loss is a loss unless it has a plus sign.
 */
export function readExit(
  entry: ExitEntry,
  kind: ExitKind,
  position: PositionWithMargin | undefined,
): ExitForms | undefined {
  const value = parseDecimal(parseNumber(entry.text));
  if (!entry.on || entry.trailing || !value || !position) return undefined;
  if (entry.unit === 'price') return exitFromPrice(position, toPrice(value));
  const loss = kind === 'stopLoss' && !hasPlus(entry.text);
  const signed = loss ? negate(absolute(value)) : value;
  return entry.unit === 'profit'
    ? exitFromProfit(position, toUsd(signed))
    : exitFromPercent(position, toPercent(signed));
}

/** The plain price of an exit, as an order carries it; empty where there is none. */
export function stopPrice(
  entry: ExitEntry,
  kind: ExitKind,
  position: PositionWithMargin | undefined,
): string {
  if (!entry.on) return '';
  if (entry.trailing) return entry.fixed?.on ? entry.fixed.price : '';
  // A price needs no position, so that it can be validated before the margin is known.
  if (entry.unit === 'price') return parseNumber(entry.text) ?? '';
  const forms = readExit(entry, kind, position);
  return forms ? toText(forms.price) : '';
}

/** The same exit in another form. */
export function inUnit(
  entry: ExitEntry,
  kind: ExitKind,
  unit: ExitUnit,
  position: PositionWithMargin | undefined,
): ExitEntry {
  if (entry.trailing) {
    const distance = readDistance(entry, position);
    if (!position || !distance) return { ...entry, unit, text: '' };
    const value = unit === 'price' ? distance : distancePercent(distance, position);
    const digits = unit === 'price' ? position.precision : Math.max(CENTS, value.scale);
    return { ...entry, unit, text: formatNumberInput(toFixed(value, digits)) };
  }
  const forms = readExit(entry, kind, position);
  const value = forms?.[unit];
  if (!position || !value) return { ...entry, unit, text: '' };
  const digits = unit === 'price' ? position.precision : 2;
  const plus = kind === 'stopLoss' && unit !== 'price' && sign(value) > 0 ? '+' : '';
  return { ...entry, unit, text: plus + formatNumberInput(toFixed(value, digits)) };
}

/** One step of an exit's price: 1, 2 or 5 of a decimal place, about a thousandth of the price. */
export function exitStep(price: Price, precision: number): Decimal {
  const thousandth = toNumber(price) / 1000;
  const exponent = Math.floor(Math.log10(thousandth));
  if (-exponent > precision) return decimal(1n, precision);
  const first = thousandth / 10 ** exponent;
  const digit = first >= 5 ? 5n : first >= 2 ? 2n : 1n;
  return exponent > 0 ? decimal(digit * 10n ** BigInt(exponent)) : decimal(digit, -exponent);
}
