import {
  compare,
  maximum,
  minimum,
  multiply,
  product,
  quotientDown,
  toDecimal,
  ZERO,
} from '#domain/core/decimal';
import { type Leverage, type Lots, type Price, toPrice, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { notional } from '#domain/trading/notional';
import type { Side } from '#domain/trading/order';
import { MAX_LOTS, type OrderRequest } from '#domain/trading/rules';

/** Margin of one order as a share of the available balance. */
const SHARE = toDecimal('0.03');
/** Distances of the exits, in usual ranges of a bar. */
const STOP_LOSS_RANGES = 6;
const TAKE_PROFIT_RANGES = 9;

/** The median of the offered leverages. */
export function usualLeverage({ leverages }: Instrument): Leverage | undefined {
  return [...leverages].sort(compare)[Math.floor((leverages.length - 1) / 2)];
}

/**
 * A market order with exits whose margin is a small share of the available balance; undefined where that
 * is not enough for one.
 */
export function sizedOrder(
  instrument: Instrument,
  side: Side,
  price: number,
  range: number,
  available: Usd,
): OrderRequest | undefined {
  const leverage = usualLeverage(instrument);
  if (!leverage) return undefined;
  const lots = affordable(instrument, toPrice(price), leverage, available);
  if (compare(lots, instrument.minLots) < 0) return undefined;
  const least = 2 * 10 ** -instrument.precision;
  /** A price that many usual ranges away, in the order's favour where positive. */
  const priceAt = (ranges: number) => {
    const distance = Math.sign(ranges) * Math.max(Math.abs(ranges) * range, least);
    const at = side === 'buy' ? price + distance : price - distance;
    return at > 0 ? toPrice(at.toFixed(instrument.precision)) : undefined;
  };
  return {
    side,
    type: 'market',
    lots,
    leverage,
    targetPrice: toPrice(price),
    stopLoss: priceAt(-STOP_LOSS_RANGES),
    takeProfit: priceAt(TAKE_PROFIT_RANGES),
    trailing: undefined,
    deviation: undefined,
  };
}

function affordable(
  instrument: Instrument,
  price: Price,
  leverage: Leverage,
  available: Usd,
): Lots {
  const { unitsPerLot, lotStep, marginMode } = instrument;
  const budget = multiply(maximum(available, ZERO), SHARE);
  // Margin of one step before leverage, and what leverage makes of the budget.
  const [money, step] =
    marginMode === 'fixed'
      ? [budget, product(lotStep, unitsPerLot)]
      : [product(budget, leverage), notional(price, lotStep, unitsPerLot)];
  const steps = quotientDown(money, step, 0);
  return minimum(multiply(lotStep, steps), MAX_LOTS);
}
