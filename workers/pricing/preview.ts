import { type Decimal, maximum, sign, toText, ZERO } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import type { Price } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { TopOfBook } from '#domain/market/topOfBook';
import { type AccountTotals, available, equity } from '#domain/trading/accountSummary';
import {
  fillPrice,
  isCrossed,
  type Opening,
  openingOf,
  type QuoteFill,
  sidePrices,
} from '#domain/trading/fill';
import { type FeeType, fee, margin } from '#domain/trading/margin';
import { notional, pointValue, unitsIn } from '#domain/trading/notional';
import type { Order } from '#domain/trading/order';
import {
  exitsProblem,
  farTargetProblem,
  type OrderRequest,
  orderProblem,
  type Problem,
} from '#domain/trading/rules';
import { type AccountSnapshot, heldUnits } from '#domain/trading/stopOut';
import { maxLots, type PricedTicket, previewTicket } from '#domain/trading/ticket';
import { requestOf, type TicketInput } from '#domain/trading/ticketInput';
import { lotsAtRisk, rewardToRisk, riskAt, riskPercent } from '#domain/trading/tradeRisk';
import { followedStop } from '#domain/trading/triggers';
import type { TicketPreview } from '#domain/worker/trading';
import type { BrokerTerms } from './brokerTerms';
import type { Priced } from './prices';

/** What a ticket is checked against; fields are undefined while unknown. */
export interface TicketContext {
  instrument: Instrument | undefined;
  price: Price | undefined;
  marketOpen: boolean;
  /** Bid and ask, and what they decide. */
  topOfBook?: TopOfBook | undefined;
  quoteFill?: QuoteFill;
  feeType?: FeeType;
  openOrders: number | undefined;
  /** The market's clock. */
  now?: UnixMs | undefined;
  /** Also undefined for a visitor. */
  snapshot: AccountSnapshot | undefined;
}

/** Where a ticket finds what it depends on. */
export interface TicketSources {
  account: () => AccountTotals | undefined;
  /** The open orders of an instrument. */
  ordersOf: (instrumentId: number) => readonly Order[];
  terms: () => BrokerTerms | undefined;
  /** How many orders are pending or holding; undefined while unknown. */
  openOrders: () => number | undefined;
  /** The earliest time that the market's clock may show; undefined while unknown. */
  marketTime: () => UnixMs | undefined;
}

/** What a ticket depends on now. */
export function contextOf(options: TicketSources, priced: Priced): TicketContext {
  const { instrument, price, marketOpen, topOfBook } = priced;
  const account = options.account();
  return {
    instrument,
    price,
    marketOpen,
    topOfBook,
    ...options.terms(),
    openOrders: options.openOrders(),
    now: options.marketTime(),
    snapshot: account &&
      instrument && {
        ...account,
        exposure: heldUnits(options.ordersOf(instrument.id), instrument.unitsPerLot),
      },
  };
}

const NOTHING: Omit<TicketPreview, 'problem' | 'revision'> = {
  price: undefined,
  exitReference: undefined,
  reference: undefined,
  atQuote: false,
  margin: undefined,
  fee: undefined,
  units: undefined,
  value: undefined,
  pointValue: undefined,
  availableAfter: undefined,
  maxLots: undefined,
  stopOutPrice: undefined,
  risk: undefined,
  riskPercent: undefined,
  rewardToRisk: undefined,
  lotsAtRisk: undefined,
};

/** The prices of the order; undefined while there is none. */
function openingNow(
  { side, type }: TicketInput,
  { price, topOfBook, quoteFill = 0 }: TicketContext,
): Opening | undefined {
  if (!price) return undefined;
  const sides = sidePrices(price, quoteFill === 2 ? topOfBook : undefined);
  const fill = fillPrice(side, price, quoteFill === 0 ? undefined : topOfBook);
  return openingOf({ side, type }, sides, fill);
}

/** The first rule that the ticket breaks (domain.md#order-form). Without `snapshot` the balance is not checked. */
export function ticketProblem(input: TicketInput, context: TicketContext): Problem | undefined {
  const { instrument, feeType, snapshot, topOfBook, quoteFill } = context;
  if (!instrument) return { field: 'instrument', message: { key: 'noPrice' } };
  const opened = openingNow(input, context);
  return orderProblem(requestOf(input), {
    ...context,
    instrument,
    price: opened?.reference,
    fill: opened?.fill,
    crossed: quoteFill === 2 && topOfBook !== undefined && isCrossed(topOfBook),
    // The fee matters to the balance only, which is not checked without it.
    feeType: feeType ?? 'rate',
    available: feeType && snapshot ? available(snapshot) : undefined,
  });
}

/** What a ticket would do, as far as it is filled in and its context is known (domain.md#ticket). */
export function previewOf(input: TicketInput, context: TicketContext): TicketPreview {
  const problem = ticketProblem(input, context);
  const known =
    problem?.field === 'instrument'
      ? problem
      : (farTargetProblem(requestOf(input), openingNow(input, context)?.reference) ?? problem);
  return { ...figuresOf(input, context), problem: known, revision: input.revision };
}

function figuresOf(input: TicketInput, context: TicketContext): Omit<TicketPreview, 'problem'> {
  const { instrument, feeType, snapshot } = context;
  const request = requestOf(input);
  const { side, type, lots, leverage, targetPrice, takeProfit } = request;
  const opened = openingNow(input, context);
  const price = type === 'market' ? opened?.fill : targetPrice;
  const exitReference = type === 'market' ? opened?.reference : targetPrice;
  if (!instrument || !price || !exitReference || sign(price) <= 0) return NOTHING;
  const counted = lots && sign(lots) > 0 ? lots : undefined;
  const stop = stopAtOpening(request, exitReference);
  const known: Omit<TicketPreview, 'problem'> = {
    ...NOTHING,
    price: toText(price),
    exitReference: toText(exitReference),
    reference: type === 'pending' ? text(opened?.reference) : undefined,
    atQuote: type === 'market' && opened !== undefined && opened.fill !== opened.held,
  };
  if (counted) {
    const { unitsPerLot, precision } = instrument;
    known.units = toText(unitsIn(counted, unitsPerLot));
    known.value = toText(notional(price, counted, unitsPerLot));
    known.pointValue = toText(pointValue(counted, unitsPerLot, precision));
    const position = { side, lots: counted, unitsPerLot, price };
    const risk = stop && riskAt(position, stop);
    if (risk) {
      known.risk = toText(risk);
      known.riskPercent = text(snapshot && riskPercent(risk, equity(snapshot)));
      known.rewardToRisk = text(takeProfit && rewardToRisk(position, risk, takeProfit));
    }
  }
  const usedLeverage = instrument.marginMode === 'fixed' ? ZERO : leverage;
  if (!usedLeverage || (instrument.marginMode !== 'fixed' && sign(usedLeverage) <= 0)) return known;
  if (counted) {
    known.margin = toText(margin(instrument, counted, price, usedLeverage));
    known.fee = text(feeType && fee(instrument, feeType, counted, price, usedLeverage));
  }
  if (!feeType || !snapshot || !opened) return known;
  const ticket: Omit<PricedTicket, 'lots'> = {
    instrument,
    feeType,
    type,
    side,
    leverage: usedLeverage,
    price: opened.held,
    fill: opened.fill,
    reference: opened.reference,
    target: price,
  };
  const preview = counted && previewTicket({ ...ticket, lots: counted }, snapshot);
  const most = preview ? preview.maxLots : maxLots(ticket, snapshot);
  const alone = { stopLoss: stop, takeProfit: undefined };
  const atRisk =
    stop && !exitsProblem(side, exitReference, instrument.precision, alone)
      ? lotsAtRisk(instrument, price, stop, equity(snapshot), most)
      : undefined;
  return {
    ...known,
    availableAfter: text(preview?.availableAfter),
    maxLots: toText(most),
    stopOutPrice: text(preview?.stopOutPrice),
    lotsAtRisk: text(atRisk),
  };
}

/** The stop-loss with which the order opens while the price is `price`; undefined without one. */
function stopAtOpening(request: OrderRequest, price: Price): Price | undefined {
  const { side, stopLoss = ZERO, trailing = ZERO } = request;
  const stop = followedStop({ side, stopLoss, trailing: maximum(trailing, ZERO) }, price);
  return sign(stop) > 0 ? stop : undefined;
}

function text(value: Decimal | undefined): string | undefined {
  return value && toText(value);
}
