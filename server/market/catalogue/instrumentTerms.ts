import { toFeeRate, toLeverage, toLots, toUnitsPerLot } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { FeeType } from '#domain/trading/margin';
import type { Session } from '../simulated/sessions';
import LOGOS from './logos/logos.json' with { type: 'json' };
import { swapTerms } from './swapRates';

/** In display order. */
export const CATEGORIES = [
  { id: 1, key: 'forex' },
  { id: 2, key: 'metals' },
  { id: 3, key: 'crypto' },
  { id: 4, key: 'indices' },
  { id: 5, key: 'energy' },
  { id: 6, key: 'stocks' },
] as const;
export type CategoryKey = (typeof CATEGORIES)[number]['key'];

export interface Category {
  id: number;
  key: CategoryKey;
}

function categoryId(key: CategoryKey): number {
  return CATEGORIES.findIndex((category) => category.key === key) + 1;
}

/** Share of the margin, where fees are charged as a share. */
const FEE_SHARE = '0.005';

/** Terms on which an instrument is traded. */
export interface Terms {
  category: CategoryKey;
  precision: number;
  lotStep: string;
  minLots: string;
  /**
   * A pair that is not quoted in USD is a synthetic USD contract: the units are chosen so that a
   * point is worth what it would be in USD.
   */
  unitsPerLot: number;
  /** The margin of a lot is fixed at its units in USD (domain.md#margin). */
  fixedMargin?: boolean;
  leverages: readonly number[];
  /** USD for one lot. */
  fee: string;
}

/** Parameters of the simulated price. */
export interface PriceModel {
  session: Session;
  /** The price fluctuates around this level. */
  base: number;
  /** Standard deviation of a day's return. */
  volatility: number;
  /** Weight in the distribution of ticks over the instruments that trade at the same time. */
  liquidity: number;
  /** Distance of bid and ask, as a share of `base`. */
  spread: number;
  /** Correlation with the market as a whole. */
  market: number;
  /** Correlation with the category beyond that. */
  peers: number;
}

export interface InstrumentTerms extends Terms, PriceModel {
  code: string;
  name: string;
}

export function toInstrument(
  id: number,
  code: string,
  name: string,
  terms: Terms & Pick<PriceModel, 'base'>,
  feeType: FeeType,
): Instrument {
  return {
    id,
    code,
    name,
    logo: Object.hasOwn(LOGOS, code) ? `/logos/${code.toLowerCase()}.svg` : '',
    categoryId: categoryId(terms.category),
    precision: terms.precision,
    lotStep: toLots(terms.lotStep),
    minLots: toLots(terms.minLots),
    unitsPerLot: toUnitsPerLot(terms.unitsPerLot),
    marginMode: terms.fixedMargin ? 'fixed' : 'leveraged',
    leverages: terms.leverages.map((value) => toLeverage(value)),
    feeRate: toFeeRate(feeType === 'per-lot' ? terms.fee : FEE_SHARE),
    swap: swapTerms(terms.category, code, terms.unitsPerLot * terms.base),
  };
}

/** Categories that have instruments, in display order. */
export function categoriesOf(instruments: readonly Instrument[]): readonly Category[] {
  const used = new Set(instruments.map((instrument) => instrument.categoryId));
  return CATEGORIES.filter(({ id }) => used.has(id));
}
