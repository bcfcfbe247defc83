import type { CategoryKey, PriceModel, Terms } from './instrumentTerms';

/** Defaults of a category; single instruments override them. */
export const CATEGORY_DEFAULTS: Readonly<Record<CategoryKey, Terms & PriceModel>> = {
  forex: {
    category: 'forex',
    precision: 5,
    lotStep: '0.01',
    minLots: '0.01',
    unitsPerLot: 100_000,
    leverages: [10, 20, 50, 100, 200],
    fee: '5',
    session: 'week',
    base: 1,
    volatility: 0.005,
    liquidity: 1,
    market: 0.3,
    peers: 0.6,
  },
  metals: {
    category: 'metals',
    precision: 2,
    lotStep: '0.01',
    minLots: '0.01',
    unitsPerLot: 100,
    leverages: [10, 20, 50, 100],
    fee: '8',
    session: 'week',
    base: 1000,
    volatility: 0.01,
    liquidity: 1,
    market: 0.1,
    peers: 0.7,
  },
  crypto: {
    category: 'crypto',
    precision: 2,
    lotStep: '0.01',
    minLots: '0.01',
    unitsPerLot: 1,
    leverages: [2, 5, 10, 20],
    fee: '12',
    session: 'always',
    base: 100,
    volatility: 0.035,
    liquidity: 1,
    market: 0.3,
    peers: 0.7,
  },
  indices: {
    category: 'indices',
    precision: 1,
    lotStep: '0.1',
    minLots: '0.1',
    unitsPerLot: 10,
    leverages: [10, 20, 50, 100],
    fee: '4',
    session: 'americas',
    base: 5000,
    volatility: 0.009,
    liquidity: 1,
    market: 0.75,
    peers: 0.4,
  },
  energy: {
    category: 'energy',
    precision: 2,
    lotStep: '0.01',
    minLots: '0.01',
    unitsPerLot: 1000,
    leverages: [5, 10, 20, 50],
    fee: '10',
    session: 'week',
    base: 75,
    volatility: 0.018,
    liquidity: 0.8,
    market: 0.3,
    peers: 0.7,
  },
  stocks: {
    category: 'stocks',
    precision: 2,
    lotStep: '1',
    minLots: '1',
    unitsPerLot: 10,
    leverages: [1, 2, 5, 10],
    fee: '1',
    session: 'americas',
    base: 100,
    volatility: 0.016,
    liquidity: 0.7,
    market: 0.55,
    peers: 0.3,
  },
};

/**
 * Units that give a lot the category's usual value, rounded to one significant digit, at least 1.
 */
export function unitsAt(price: number, usual: Terms & PriceModel): number {
  const units = (usual.unitsPerLot * usual.base) / price;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(units)));
  return Math.max(1, Math.round(units / step) * step);
}
