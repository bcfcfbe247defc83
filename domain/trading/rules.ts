/**
 * Rules for orders (domain.md#refused-orders). The same functions run in the form, in the
 * worker and in the server. Each returns the first broken rule, or undefined.
 */
import {
  compare,
  decimal,
  isMultiple,
  isZero,
  multiply,
  quotientDown,
  sign,
  subtract,
  toFixed,
  toText,
  truncate,
  ZERO,
} from '../core/decimal';
import { readPrice } from '../core/readAmounts';
import { type FieldProblem, fieldProblem, type Message } from '../core/rule';
import type { UnixMs } from '../core/time';
import { type Leverage, type Lots, type Price, toLots, type Usd } from '../core/units';
import type { Instrument } from '../market/instrument';
import { availableTooLow, isCovered } from './available';
import { cost, type FeeType, margin, shareOf } from './margin';
import type { OrderStatus, Side } from './order';
import { isFarOff } from './triggers';

/** The most lots of one order (domain.md#lots). */
export const MAX_LOTS = toLots(1000);

/** The most orders of a user that may be pending or holding (domain.md#refused-orders). */
const MAX_OPEN_ORDERS = 200;

/** Where prices come every few seconds, a market order allows this slippage, percent of the price seen, unless the user sets another (protocol.md#without-a-websocket). */
export const SLOW_SLIPPAGE = decimal(1n, 1);

/** That slippage as `TicketInput.deviation`. */
export function slowDeviation(quoteSeen: string): string {
  const seen = readPrice(quoteSeen);
  return seen ? toText(multiply(seen, multiply(SLOW_SLIPPAGE, decimal(1n, 2)))) : '';
}

/** What a problem of an order can be about: a field of the form, the instrument, the open orders or the balance. */
export type TicketField =
  | 'instrument'
  | 'lots'
  | 'leverage'
  | 'targetPrice'
  | 'stopLoss'
  | 'takeProfit'
  | 'trailing'
  | 'deviation'
  | 'until'
  | 'orders'
  | 'balance';

/** The rule that an order breaks, and the field that has to change. */
export type Problem = FieldProblem<TicketField>;

/** A requested order; undefined where nothing is entered. */
export interface OrderRequest {
  side: Side;
  type: 'market' | 'pending';
  lots: Lots | undefined;
  leverage: Leverage | undefined;
  /** Of a pending order; of a market order the quote seen, undefined or 0 where unknown. */
  targetPrice: Price | undefined;
  /** Undefined or 0 = none. */
  stopLoss: Price | undefined;
  takeProfit: Price | undefined;
  /** How far the stop-loss follows the best price; undefined or 0 = it does not. */
  trailing: Price | undefined;
  /** The largest accepted slippage; undefined: any. */
  deviation: Price | undefined;
  /** When a pending order expires; undefined: it waits until it is cancelled. */
  until?: UnixMs | undefined;
}

/** What the rules need to know besides the request. */
export interface OrderContext {
  instrument: Instrument;
  feeType: FeeType;
  marketOpen: boolean;
  /** The current price; undefined while nothing was traded yet. */
  price: Price | undefined;
  /** What a market order is filled at; undefined: the current price. */
  fill?: Price | undefined;
  /** The bid is above the ask, and orders are filled at them. */
  crossed?: boolean;
  /** How many orders are pending or holding; undefined while unknown: then they are not counted. */
  openOrders: number | undefined;
  /** Undefined while unknown: then the balance is not checked. */
  available: Usd | undefined;
  /** The market's clock; undefined while unknown: then the expiry is not checked. */
  now?: UnixMs | undefined;
}

/** The first rule that a new order breaks. */
export function orderProblem(request: OrderRequest, context: OrderContext): Problem | undefined {
  return (
    instrumentProblem(request, context) ??
    lotsProblem(request.lots, context.instrument) ??
    leverageProblem(request.leverage, context.instrument) ??
    priceProblem(request, context) ??
    exitsOfRequest(request, context) ??
    expiryProblem(request, context) ??
    marginProblem(request, context) ??
    openOrdersProblem(context) ??
    balanceProblem(request, context)
  );
}

function instrumentProblem(
  { type }: OrderRequest,
  { instrument, marketOpen, price, crossed }: OrderContext,
): Problem | undefined {
  // Refused in both margin modes (domain.md#leverage).
  if (instrument.leverages.length === 0) return fieldProblem('instrument', 'noLeverage');
  if (!marketOpen) return fieldProblem('instrument', 'marketClosed');
  if (price === undefined) return fieldProblem('instrument', 'noPrice');
  return crossed && type === 'market' ? fieldProblem('instrument', 'bookCrossed') : undefined;
}

/** Checks a quantity: required, at least the minimum, a multiple of the step, at most 1,000 lots (domain.md#lots). */
export function lotsProblem(
  lots: Lots | undefined,
  instrument: Pick<Instrument, 'minLots' | 'lotStep'>,
): Problem | undefined {
  const { minLots, lotStep } = instrument;
  if (lots === undefined || sign(lots) === 0) return fieldProblem('lots', 'lotsRequired');
  if (sign(lots) < 0 || compare(lots, minLots) < 0)
    return fieldProblem('lots', 'lotsBelowMinimum', { min: toText(minLots) });
  if (!isMultiple(lots, lotStep))
    return fieldProblem('lots', 'lotsStep', { step: toText(lotStep) });
  if (compare(lots, MAX_LOTS) > 0)
    return fieldProblem('lots', 'lotsAboveMaximum', { max: toText(MAX_LOTS) });
  return undefined;
}

/** Checks the leverage: leveraged margin needs one of the list, fixed margin ignores it (domain.md#leverage). */
function leverageProblem(
  leverage: Leverage | undefined,
  instrument: Instrument,
): Problem | undefined {
  if (instrument.marginMode === 'fixed') return undefined;
  if (leverage === undefined || sign(leverage) === 0)
    return fieldProblem('leverage', 'leverageRequired');
  return instrument.leverages.some((offered) => compare(offered, leverage) === 0)
    ? undefined
    : fieldProblem('leverage', 'leverageUnknown', { leverage: toText(leverage) });
}

function priceProblem(
  request: OrderRequest,
  { price: latest, fill: price = latest, instrument }: OrderContext,
): Problem | undefined {
  const { type, side, targetPrice: target, deviation } = request;
  if (deviation && sign(deviation) < 0) return fieldProblem('deviation', 'deviationNegative');
  if (type === 'pending') {
    if (target === undefined) return fieldProblem('targetPrice', 'priceRequired');
    if (sign(target) <= 0) return fieldProblem('targetPrice', 'priceNotPositive');
    return precisionProblem('targetPrice', target, instrument.precision);
  }
  if (target === undefined || sign(target) === 0) return undefined;
  if (sign(target) < 0) return fieldProblem('targetPrice', 'priceNotPositive');
  if (deviation === undefined || price === undefined) return undefined;
  const slip = side === 'buy' ? subtract(price, target) : subtract(target, price);
  return compare(slip, deviation) > 0
    ? fieldProblem('deviation', 'priceMoved', { price: toFixed(price, instrument.precision) })
    : undefined;
}

/** A pending order whose target is far off; only the form says so. */
export function farTargetProblem(
  { type, targetPrice: target }: Pick<OrderRequest, 'type' | 'targetPrice'>,
  price: Price | undefined,
): Problem | undefined {
  if (type !== 'pending' || !target || !price || sign(target) <= 0) return undefined;
  return isFarOff(target, price) ? fieldProblem('targetPrice', 'priceFarOff') : undefined;
}

/** Checks that a price has no more decimals than its instrument (domain.md#refused-orders). */
function precisionProblem(
  field: TicketField,
  price: Price,
  precision: number,
): Problem | undefined {
  return compare(truncate(price, precision), price) === 0
    ? undefined
    : fieldProblem(field, 'priceTooFine', { decimals: precision });
}

function exitsOfRequest(
  request: OrderRequest,
  { price, instrument }: OrderContext,
): Problem | undefined {
  const reference = request.type === 'pending' ? request.targetPrice : price;
  return reference && exitsProblem(request.side, reference, instrument.precision, request);
}

/** An order that has expired when it arrives would never be judged (domain.md#expiry). */
function expiryProblem({ type, until }: OrderRequest, { now }: OrderContext): Problem | undefined {
  if (type !== 'pending' || until === undefined || now === undefined) return undefined;
  return until <= now ? fieldProblem('until', 'expiryPast') : undefined;
}

/** Exits as they are requested; undefined or 0 is none. */
interface RequestedExits {
  stopLoss: Price | undefined;
  takeProfit: Price | undefined;
  trailing?: Price | undefined;
}

/**
 * Checks that the exits are prices of the instrument and on the right side of `reference`, which is
 * the current price, or the target of a pending order. An exit equal to it is refused, and so is a
 * trailing distance that is not below it (domain.md#exits). `precision`: decimals of a price.
 */
export function exitsProblem(
  side: Side,
  reference: Price,
  precision: number,
  exits: RequestedExits,
): Problem | undefined {
  const context = { reference, precision };
  return (
    exitProblem('stopLoss', exits.stopLoss, side === 'buy' ? 'below' : 'above', context) ??
    exitProblem('takeProfit', exits.takeProfit, side === 'buy' ? 'above' : 'below', context) ??
    trailingProblem(exits.trailing, context)
  );
}

interface ExitContext {
  reference: Price;
  precision: number;
}

function trailingProblem(
  trailing: Price | undefined,
  { reference, precision }: ExitContext,
): Problem | undefined {
  if (trailing === undefined || sign(trailing) === 0) return undefined;
  if (sign(trailing) < 0) return fieldProblem('trailing', 'distanceNotPositive');
  const imprecise = precisionProblem('trailing', trailing, precision);
  if (imprecise) return imprecise;
  return compare(trailing, reference) < 0
    ? undefined
    : fieldProblem('trailing', 'distanceNotBelow', { price: toFixed(reference, precision) });
}

const WRONG_SIDE = {
  stopLoss: { below: 'stopLossNotBelow', above: 'stopLossNotAbove' },
  takeProfit: { below: 'takeProfitNotBelow', above: 'takeProfitNotAbove' },
} as const;

function exitProblem(
  field: 'stopLoss' | 'takeProfit',
  exit: Price | undefined,
  side: 'below' | 'above',
  { reference, precision }: ExitContext,
): Problem | undefined {
  if (exit === undefined || sign(exit) === 0) return undefined;
  if (sign(exit) < 0) return fieldProblem(field, 'priceNotPositive');
  const imprecise = precisionProblem(field, exit, precision);
  if (imprecise) return imprecise;
  const distance = compare(exit, reference);
  return (side === 'below' ? distance < 0 : distance > 0)
    ? undefined
    : fieldProblem(field, WRONG_SIDE[field][side], { price: toFixed(reference, precision) });
}

/** What margin and fee are computed at (domain.md#margin). */
function pricedAt(request: OrderRequest, { price, fill = price }: OrderContext): Price | undefined {
  return request.type === 'pending' ? request.targetPrice : fill;
}

function marginProblem(request: OrderRequest, context: OrderContext): Problem | undefined {
  const { lots, leverage = ZERO } = request;
  const price = pricedAt(request, context);
  if (lots === undefined || price === undefined) return undefined;
  return isZero(margin(context.instrument, lots, price, leverage))
    ? fieldProblem('lots', 'marginTooSmall')
    : undefined;
}

function openOrdersProblem({ openOrders = 0 }: OrderContext): Problem | undefined {
  return openOrders < MAX_OPEN_ORDERS
    ? undefined
    : fieldProblem('orders', 'tooManyOrders', { max: MAX_OPEN_ORDERS });
}

function balanceProblem(request: OrderRequest, context: OrderContext): Problem | undefined {
  const { instrument, feeType, available } = context;
  const { lots, leverage = ZERO } = request;
  const price = pricedAt(request, context);
  if (available === undefined || lots === undefined || price === undefined) return undefined;
  const needed = cost(instrument, feeType, lots, price, leverage);
  return isCovered(needed, available)
    ? undefined
    : { field: 'balance', message: availableTooLow(needed, available) };
}

/**
 * Only a holding order can be closed, only while its market is open (domain.md#order-states), and not while the bid is
 * above the ask where it would close at one of them.
 */
export function closeProblem(
  status: OrderStatus,
  { marketOpen, crossed }: Pick<OrderContext, 'marketOpen' | 'crossed'>,
): Message | undefined {
  if (status !== 'holding') return { key: 'orderNotHolding' };
  if (!marketOpen) return { key: 'marketClosed' };
  return crossed ? { key: 'bookCrossed' } : undefined;
}

/** An order whose lots are not those that the user saw is not closed: they confirmed another one (protocol.md#seen-quantity). */
export function seenProblem(seen: Lots, lots: Lots): Message | undefined {
  if (isZero(seen) || compare(seen, lots) === 0) return undefined;
  return { key: 'lotsChanged', params: { lots: toText(lots) } };
}

/**
 * Checks the lots of a partial close: both parts are valid quantities, and what remains has a
 * margin (domain.md#partial-close): an order without one is never stopped out.
 */
export function partProblem(
  part: Lots,
  order: { lots: Lots; margin: Usd },
  instrument: Pick<Instrument, 'minLots' | 'lotStep'>,
): Message | undefined {
  if (compare(part, order.lots) > 0)
    return { key: 'lotsAboveMaximum', params: { max: toText(order.lots) } };
  const rest = subtract(order.lots, part);
  const problem = lotsProblem(part, instrument) ?? lotsProblem(rest, instrument);
  if (problem) return problem.message;
  return isZero(shareOf(order.margin, rest, order.lots)) ? { key: 'marginTooSmall' } : undefined;
}

/** The shares of an order's lots that the user can choose to close, in percent (screens.md#order-details). */
const CLOSING_SHARES = [25, 50, 75];

/** A part of an order's lots that can be closed. */
export interface Part {
  percent: number;
  lots: Lots;
}

/**
 * The parts of an order that can be closed: 25, 50 and 75 % of its lots, rounded down to the lot step,
 * without those that are none and those that equal a smaller share (screens.md#order-details).
 */
export function partsOf(
  order: { lots: Lots; margin: Usd },
  instrument: Pick<Instrument, 'minLots' | 'lotStep'>,
): Part[] {
  const { lotStep } = instrument;
  if (isZero(lotStep)) return [];
  const parts: Part[] = [];
  for (const percent of CLOSING_SHARES) {
    const share = multiply(order.lots, decimal(percent, 2));
    const lots = multiply(lotStep, quotientDown(share, lotStep, 0));
    const largest = parts.at(-1);
    if (largest && compare(largest.lots, lots) === 0) continue;
    if (!partProblem(lots, order, instrument)) parts.push({ percent, lots });
  }
  return parts;
}

/** Only a pending order can be cancelled (domain.md#order-states). */
export function cancelProblem(status: OrderStatus): Message | undefined {
  return status === 'pending' ? undefined : { key: 'orderNotPending' };
}

/** Only a pending order can be amended (domain.md#amending). */
export function amendProblem(status: OrderStatus): Message | undefined {
  return status === 'pending' ? undefined : { key: 'orderNotAmendable' };
}

/** Checks new exits of an open order: a pending one by its target, a position by the current price (domain.md#exits). */
export function setExitsProblem(
  order: { status: OrderStatus; side: Side; target: Price; precision: number },
  price: Price | undefined,
  exits: RequestedExits,
): Message | undefined {
  if (order.status === 'closed') return { key: 'orderEnded' };
  const reference = order.status === 'pending' ? order.target : price;
  if (reference === undefined) return { key: 'noPrice' };
  return exitsProblem(order.side, reference, order.precision, exits)?.message;
}
