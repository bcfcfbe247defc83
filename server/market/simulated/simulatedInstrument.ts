import type { NumberedInstrumentTerms } from '../catalogue/catalogue';
import { CATEGORIES } from '../catalogue/instrumentTerms';
import { Factor } from './factor';
import { type DrawKey, drawKey, KeyedDraws } from './random';
import type { TickRates } from './tickRates';
import { Walk } from './walk';

/** An instrument in the simulation. */
export interface SimulatedInstrument {
  terms: NumberedInstrumentTerms;
  key: DrawKey;
  /** Market, category and own walk, and their weights, whose squares add up to 1. */
  factors: readonly [Factor, Factor, Walk];
  weights: readonly [number, number, number];
  rates: TickRates;
  draws: KeyedDraws;
}

/** All draws follow from the seed and the instrument's code. */
export function simulatedInstruments(
  seed: string,
  allTerms: readonly NumberedInstrumentTerms[],
  pace: TickRates,
): Map<number, SimulatedInstrument> {
  const draws = new KeyedDraws();
  const market = new Factor(drawKey(`${seed}/market`));
  const categories = new Map(
    CATEGORIES.map(({ key }) => [key, new Factor(drawKey(`${seed}/category/${key}`))]),
  );
  return new Map(
    allTerms.map((terms) => {
      const key = drawKey(`${seed}/${terms.code}`);
      const own = Math.sqrt(1 - terms.market ** 2 - terms.peers ** 2);
      return [
        terms.id,
        {
          terms,
          key,
          factors: [market, categories.get(terms.category) as Factor, new Walk(key)],
          weights: [terms.market, terms.peers, own],
          rates: pace,
          draws,
        },
      ];
    }),
  );
}
