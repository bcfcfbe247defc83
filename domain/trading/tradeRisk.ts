import {
  absolute,
  compare,
  type Decimal,
  decimal,
  isZero,
  minimum,
  multiply,
  negate,
  product,
  quotient,
  quotientDown,
  shiftDown,
  sign,
  subtract,
} from '../core/decimal';
import type { Lots, Percent, Price, Usd } from '../core/units';
import type { Instrument } from '../market/instrument';
import { percentOf } from './accountSummary';
import { type Position, profit } from './profit';

/** What *Risk 1 %* risks, in percent of the equity (domain.md#risk). */
export const RISK_PERCENT = decimal(1);

/** Decimals of reward to risk. */
const RATIO_SCALE = 2;

/**
 * What a position loses if it closes at its stop-loss, USD, six decimals (domain.md#risk); undefined
 * where it would lose nothing there.
 */
export function riskAt(position: Position, stopLoss: Price): Usd | undefined {
  const loss = negate(profit(position, stopLoss));
  return sign(loss) > 0 ? loss : undefined;
}

/** A risk in percent of the equity, two decimals (domain.md#risk); undefined for an equity of 0 or less. */
export function riskPercent(risk: Usd, equity: Usd): Percent | undefined {
  return sign(equity) > 0 ? percentOf(risk, equity) : undefined;
}

/**
 * The profit at the take-profit / the risk, two decimals (domain.md#risk); undefined where the
 * take-profit brings no profit.
 */
export function rewardToRisk(
  position: Position,
  risk: Usd,
  takeProfit: Price,
): Decimal | undefined {
  const reward = profit(position, takeProfit);
  return sign(reward) > 0 ? quotient(reward, risk, RATIO_SCALE) : undefined;
}

/**
 * The most lots, a multiple of the lot step up to `most`, that lose 1 % of the equity or less
 * between `price` and the stop-loss (domain.md#risk); undefined where that is below the minimum.
 */
export function lotsAtRisk(
  instrument: Pick<Instrument, 'minLots' | 'lotStep' | 'unitsPerLot'>,
  price: Price,
  stopLoss: Price,
  equity: Usd,
  most: Lots,
): Lots | undefined {
  const { lotStep, minLots, unitsPerLot } = instrument;
  const lossOfStep = product(product(absolute(subtract(price, stopLoss)), unitsPerLot), lotStep);
  if (isZero(lossOfStep)) return undefined;
  const budget = shiftDown(product(equity, RISK_PERCENT), 2);
  const lots = minimum(multiply(lotStep, quotientDown(budget, lossOfStep, 0)), most);
  return sign(lots) > 0 && compare(lots, minLots) >= 0 ? lots : undefined;
}
