import {
  add,
  compare,
  decimal,
  multiply,
  quotientDown,
  sign,
  subtract,
  toNumber,
  ZERO,
} from '../core/decimal';
import type { Leverage, Lots, Price, Usd } from '../core/units';
import type { Instrument } from '../market/instrument';
import { type AccountTotals, available } from './accountSummary';
import { isCovered } from './available';
import { cost, type FeeType, fee, margin } from './margin';
import { exposure, pointValue, valueAt } from './notional';
import type { Side } from './order';
import { profit } from './profit';
import { MAX_LOTS } from './rules';
import { type AccountSnapshot, stopOutPrice } from './stopOut';
import { approach } from './triggers';

/** A ticket with everything that its price depends on. */
export interface PricedTicket {
  instrument: Instrument;
  feeType: FeeType;
  type: 'market' | 'pending';
  side: Side;
  lots: Lots;
  /** 0 where the margin is fixed. */
  leverage: Leverage;
  /** What a position of this side is valued at now. */
  price: Price;
  /** What a market order is filled at; undefined: `price`. */
  fill?: Price | undefined;
  /** What the target of a pending order is compared with; undefined: `price`. */
  reference?: Price | undefined;
  /** Of a pending order. */
  target: Price;
}

/** What a ticket would do (domain.md#ticket). USD, as the server books it. */
export interface PricedPreview {
  /** What margin and fee are computed at: the fill, or the target (domain.md#margin). */
  price: Price;
  margin: Usd;
  fee: Usd;
  /** USD for a move of one point, 10^-PricePrecision. */
  pointValue: Usd;
  /** Once the order is accepted; a pending order's fee is charged later, at the fill. */
  availableAfter: Usd;
  /** The most lots that the available balance covers; 0 where it does not cover the minimum. */
  maxLots: Lots;
  /**
   * The price at which the account would be stopped out if no other instrument moved; undefined where
   * none, and where the available balance does not cover the order.
   */
  stopOutPrice: Price | undefined;
}

/** Prices a ticket. Throws RangeError for a leverage of 0 where one is needed. */
export function previewTicket(ticket: PricedTicket, account: AccountSnapshot): PricedPreview {
  const { instrument, feeType, lots, leverage } = ticket;
  const price = ticketPrice(ticket);
  const frozen = margin(instrument, lots, price, leverage);
  const charged = fee(instrument, feeType, lots, price, leverage);
  const units = exposure({ ...ticket, unitsPerLot: instrument.unitsPerLot });
  const { type, target, reference = ticket.price } = ticket;
  const waits = type === 'pending' && approach(target, reference) !== undefined;
  const taken = waits ? frozen : add(frozen, charged);
  return {
    price,
    margin: frozen,
    fee: charged,
    pointValue: pointValue(lots, instrument.unitsPerLot, instrument.precision),
    availableAfter: available({
      ...account,
      balance: subtract(account.balance, taken),
      // Filled at bid or ask, it begins with a loss.
      profit: waits ? account.profit : add(account.profit, openingProfit(ticket, price)),
    }),
    maxLots: maxLots(ticket, account),
    stopOutPrice: isCovered(add(frozen, charged), available(account))
      ? stopOutPrice(
          {
            balance: subtract(account.balance, add(frozen, charged)),
            marginInUse: add(account.marginInUse, frozen),
            profit: add(account.profit, valueAt(units, subtract(ticket.price, price))),
            exposure: add(account.exposure, units),
          },
          ticket.price,
          instrument.precision,
          // Beyond the order's own price the account would be stopped out before a pending order is filled.
          price,
        )
      : undefined,
  };
}

/** The price that margin and fee are computed at (domain.md#margin): the fill of a market order, the target of a pending one. */
function ticketPrice({
  type,
  price,
  fill = price,
  target,
}: Pick<PricedTicket, 'type' | 'price' | 'fill' | 'target'>): Price {
  return type === 'market' ? fill : target;
}

/** The floating profit with which an order opens that is filled at once. */
function openingProfit(ticket: PricedTicket, fill: Price): Usd {
  const { unitsPerLot } = ticket.instrument;
  return profit({ ...ticket, unitsPerLot, price: fill }, ticket.price);
}

/**
 * The most lots, a multiple of the lot step up to 1,000, whose margin and fee the free
 * balance covers (domain.md#ticket); 0 where that is below the minimum.
 */
export function maxLots(ticket: Omit<PricedTicket, 'lots' | 'side'>, account: AccountTotals): Lots {
  const { instrument, feeType, leverage } = ticket;
  const step = instrument.lotStep;
  if (sign(step) <= 0) return ZERO;
  const price = ticketPrice(ticket);
  const free = available(account);
  const lots = (steps: number) => multiply(step, decimal(steps));
  // The cost is rounded to cents, so a division would be off: search instead. It grows with the lots.
  let borne = 0;
  let beyond = toNumber(quotientDown(MAX_LOTS, step, 0)) + 1;
  while (beyond - borne > 1) {
    const middle = Math.floor((borne + beyond) / 2);
    if (compare(cost(instrument, feeType, lots(middle), price, leverage), free) <= 0)
      borne = middle;
    else beyond = middle;
  }
  const most = lots(borne);
  return compare(most, instrument.minLots) < 0 ? ZERO : most;
}
