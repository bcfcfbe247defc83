import type { NumberedListing } from '../catalogue/catalogue';
import { CATEGORIES } from '../catalogue/listing';
import { Factor } from './factor';
import { type DrawKey, drawKey, KeyedDraws } from './random';
import type { TickRates } from './tickRates';
import { Walk } from './walk';

/** An instrument in the simulation. */
export interface SimulatedInstrument {
  listing: NumberedListing;
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
  listings: readonly NumberedListing[],
  pace: TickRates,
): Map<number, SimulatedInstrument> {
  const draws = new KeyedDraws();
  const market = new Factor(drawKey(`${seed}/market`));
  const categories = new Map(
    CATEGORIES.map(({ key }) => [key, new Factor(drawKey(`${seed}/category/${key}`))]),
  );
  return new Map(
    listings.map((listing) => {
      const key = drawKey(`${seed}/${listing.code}`);
      const own = Math.sqrt(1 - listing.market ** 2 - listing.peers ** 2);
      return [
        listing.id,
        {
          listing,
          key,
          factors: [market, categories.get(listing.category) as Factor, new Walk(key)],
          weights: [listing.market, listing.peers, own],
          rates: pace,
          draws,
        },
      ];
    }),
  );
}
