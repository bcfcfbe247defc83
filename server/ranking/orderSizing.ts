import {
  compare,
  type Decimal,
  divideDown,
  maximum,
  minimum,
  multiply,
  toDecimal,
  ZERO,
} from '#domain/core/decimal';
import type { Lots, Multiplier, Price, Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Side } from '#domain/trading/order';
import { MAX_LOTS, type OrderRequest } from '#domain/trading/rules';

/** Of the free balance, as margin of one order. */
const SHARE = toDecimal('0.03');
/** Stops, in usual ranges of a bar. */
const STOP_LOSS_RANGES = 6;
const TAKE_PROFIT_RANGES = 9;

/** The middle one of those offered: neither timid nor reckless. */
export function usualMultiplier({ multipliers }: Instrument): Multiplier | undefined {
  return [...multipliers].sort(compare)[Math.floor((multipliers.length - 1) / 2)];
}

/** A market order whose margin is a small share of what is free, with stops; undefined where that is too little for one. */
export function sizedOrder(
  instrument: Instrument,
  side: Side,
  price: number,
  range: number,
  freeBalance: Usd,
): OrderRequest | undefined {
  const multiplier = usualMultiplier(instrument);
  if (!multiplier) return undefined;
  const lots = affordable(instrument, toDecimal(price) as Price, multiplier, freeBalance);
  if (compare(lots, instrument.minLots) < 0) return undefined;
  const least = 2 * 10 ** -instrument.precision;
  /** So many usual ranges for the order, or against it. */
  const away = (ranges: number) => {
    const distance = Math.sign(ranges) * Math.max(Math.abs(ranges) * range, least);
    const at = side === 'buy' ? price + distance : price - distance;
    return at > 0 ? (toDecimal(at.toFixed(instrument.precision)) as Price) : undefined;
  };
  return {
    side,
    type: 'market',
    lots,
    multiplier,
    targetPrice: toDecimal(price) as Price,
    stopLoss: away(-STOP_LOSS_RANGES),
    takeProfit: away(TAKE_PROFIT_RANGES),
    deviation: undefined,
  };
}

function affordable(
  instrument: Instrument,
  price: Price,
  multiplier: Multiplier,
  freeBalance: Usd,
): Lots {
  const { unitsPerLot, lotStep, marginMode } = instrument;
  const budget = multiply(maximum(ZERO, freeBalance), SHARE);
  const [money, lot]: [Decimal, Decimal] =
    marginMode === 'fixed'
      ? [budget, unitsPerLot]
      : [multiply(budget, multiplier), multiply(unitsPerLot, price)];
  const steps = divideDown(money, multiply(lot, lotStep), 0);
  const most = multiply(steps, lotStep);
  return minimum(most, MAX_LOTS) as Lots;
}
