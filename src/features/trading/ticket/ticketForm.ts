import {
  add,
  compare,
  decimal,
  isZero,
  multiply,
  parseDecimal,
  subtract,
  toFixed,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { readLots, readPrice, readUsd } from '#domain/core/readAmounts';
import type { RuleKey } from '#domain/core/rule';
import { type Price, toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { PositionWithMargin } from '#domain/trading/exits';
import type { Side } from '#domain/trading/order';
import { type Problem, slowDeviation, type TicketField } from '#domain/trading/rules';
import type { TicketInput } from '#domain/trading/ticketInput';
import type { TicketPreview } from '#domain/worker/trading';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import {
  type ExitEntry,
  type ExitKind,
  emptyExitProblem,
  exitEntryProblem,
  NO_EXIT,
  stopDistance,
  stopPrice,
} from '../../../positions/exitEntry';
import { marketNow } from '../../../worker/marketNow';
import { type ExpiryEntry, expiryOf, NO_EXPIRY } from './expiryEntry';
import { type SizeEntry, type SizeUnit, sizeUnits } from './sizeEntry';

const KINDS: readonly ExitKind[] = ['stopLoss', 'takeProfit'];

/** The order form as it is typed (screens.md#order-form). */
export interface TicketForm {
  side: Side;
  type: 'market' | 'pending';
  lots: string;
  /** Where the size is typed in another unit; the lots are what it is enough for. */
  size?: SizeEntry | undefined;
  /** A plain decimal; empty where none is chosen. */
  leverage: string;
  target: string;
  stopLoss: ExitEntry;
  takeProfit: ExitEntry;
  /** The slippage that a market order allows, in points. */
  slippage: { on: boolean; points: string };
  /** Of a pending order. */
  expiry: ExpiryEntry;
}

/** Its fields with numbers as they are typed; those of the exits and the size are their texts. */
export const TICKET_NUMBERS = ['lots', 'target', 'text', 'points'] as const;

/** The name by which the form is found again after the login. */
export function ticketName({ id }: Instrument): string {
  return `ticket ${id}`;
}

/**
 * A new form that is ready to send: the smallest order, with leverage and unit of the size used last
 * where the instrument offers them.
 */
export function newTicket(
  instrument: Instrument,
  side: Side,
  lastLeverage: string,
  lastUnit: SizeUnit = 'lots',
): TicketForm {
  const offered = instrument.leverages.map((value) => toText(value));
  const leverage = offered.includes(lastLeverage) ? lastLeverage : (offered[0] ?? '');
  return {
    side,
    type: 'market',
    lots: formatNumberInput(
      toText(isZero(instrument.minLots) ? instrument.lotStep : instrument.minLots),
    ),
    size:
      lastUnit !== 'lots' && sizeUnits(instrument).includes(lastUnit)
        ? { unit: lastUnit }
        : undefined,
    leverage: instrument.marginMode === 'fixed' ? '' : leverage,
    target: '',
    stopLoss: NO_EXIT,
    takeProfit: NO_EXIT,
    slippage: { on: false, points: '' },
    expiry: NO_EXPIRY,
  };
}

/** What the exits are computed from; undefined until the worker has priced the form. */
export function positionOf(
  form: Pick<TicketForm, 'side' | 'lots'>,
  instrument: Instrument,
  preview: Pick<TicketPreview, 'price' | 'margin'> | undefined,
): PositionWithMargin | undefined {
  const lots = readLots(parseNumber(form.lots));
  const price = readPrice(preview?.price);
  const margin = readUsd(preview?.margin);
  if (!lots || isZero(lots) || !price || !margin) return undefined;
  return {
    side: form.side,
    lots,
    unitsPerLot: instrument.unitsPerLot,
    price,
    margin,
    precision: instrument.precision,
  };
}

/**
 * The form as the worker takes it. `quoteSeen` is the price that the user sees; a market order
 * carries it (protocol.md#submit). `slow`: prices come every few seconds. `now`: the clock that it expires by.
 */
export function toTicketInput(
  form: TicketForm,
  instrument: Instrument,
  preview: TicketPreview | undefined,
  quoteSeen = '',
  slow = false,
  now = marketNow(),
): TicketInput {
  const position = positionOf(form, instrument, preview);
  const market = form.type === 'market';
  const points =
    market && form.slippage.on ? parseDecimal(parseNumber(form.slippage.points)) : undefined;
  const fallback = market && slow ? slowDeviation(quoteSeen) : '';
  return {
    instrumentId: instrument.id,
    side: form.side,
    type: form.type,
    lots: parseNumber(form.lots) ?? '',
    leverage: form.leverage,
    targetPrice: market ? quoteSeen : (parseNumber(form.target) ?? ''),
    stopLoss: stopPrice(form.stopLoss, 'stopLoss', position),
    takeProfit: stopPrice(form.takeProfit, 'takeProfit', position),
    trailing: stopDistance(form.stopLoss, position),
    deviation: points ? toText(multiply(points, decimal(1n, instrument.precision))) : fallback,
    until: market ? undefined : expiryOf(form.expiry, now),
  };
}

/**
 * A problem of the typed text itself, found before any rule: an enabled field that is empty or not
 * a number.
 */
export function typingProblem(
  form: Pick<TicketForm, 'type' | 'target' | 'lots' | 'size' | 'slippage' | ExitKind>,
): Problem | undefined {
  const fields: [TicketField, boolean, string, RuleKey][] = [
    ['targetPrice', form.type === 'pending', form.target, 'priceRequired'],
    ['lots', true, form.size?.text ?? form.lots, 'lotsRequired'],
    [
      'deviation',
      form.type === 'market' && form.slippage.on,
      form.slippage.points,
      'pointsRequired',
    ],
  ];
  for (const [field, enabled, text, required] of fields) {
    if (!enabled) continue;
    const read = parseNumber(text);
    if (read === undefined) return { field, message: { key: 'notANumber' } };
    if (read === '') return { field, message: { key: required } };
  }
  for (const kind of KINDS) {
    const key = exitEntryProblem(form[kind]);
    if (key) return { field: form[kind].trailing ? 'trailing' : kind, message: { key } };
  }
  return undefined;
}

/** What is wrong with an exit that would be sent as none. */
export function emptyExit(
  form: Pick<TicketForm, ExitKind>,
  position: PositionWithMargin | undefined,
): Problem | undefined {
  for (const kind of KINDS) {
    const key = emptyExitProblem(form[kind], kind, position);
    if (key) return { field: form[kind].trailing ? 'trailing' : kind, message: { key } };
  }
  return undefined;
}

/**
 * Lots one step up or down; unchanged where the step would reach zero or below
 * (domain.md#order-form).
 */
export function stepLots(text: string, direction: 1 | -1, instrument: Instrument): string {
  const step = instrument.lotStep;
  const lots = readLots(parseNumber(text));
  if (!lots) return formatNumberInput(toText(instrument.minLots));
  if (direction > 0) return formatNumberInput(toText(add(lots, step)));
  return canStepDown(text, instrument) ? formatNumberInput(toText(subtract(lots, step))) : text;
}

/**
 * Whether the minus button is enabled: quantity minus Pip must be above zero
 * (domain.md#order-form).
 */
export function canStepDown(text: string, instrument: Instrument): boolean {
  const lots = readLots(parseNumber(text));
  return lots !== undefined && compare(subtract(lots, instrument.lotStep), ZERO) > 0;
}

/** A price ten points up or down, from `start` where none is typed, with all its decimals; above zero. */
export function stepPrice(
  text: string,
  direction: 1 | -1,
  instrument: Instrument,
  start: Price | undefined,
): string {
  const { precision } = instrument;
  const step = toPrice(decimal(10n, precision));
  const typed = readPrice(parseNumber(text));
  const price = typed ?? start;
  if (!price) return text;
  if (!typed) return formatNumberInput(toFixed(price, precision));
  const next = direction > 0 ? add(price, step) : subtract(price, step);
  return compare(next, ZERO) > 0 ? formatNumberInput(toFixed(next, precision)) : text;
}
