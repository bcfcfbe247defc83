import { generatedListings } from './generated';
import { CATEGORIES, type Listing } from './listing';
import { WELL_KNOWN } from './wellKnown';

export interface NumberedListing extends Listing {
  id: number;
}

/**
 * The instruments of the simulated market, in display order. An instrument has the same id, code
 * and terms whatever the count; a small count takes some of every category, so that something
 * always trades.
 */
export function catalogue(count: number): NumberedListing[] {
  const listings: NumberedListing[] = [];
  for (const listing of endless()) {
    if (listings.length === count) break;
    listings.push({ ...listing, id: listings.length + 1 });
  }
  const rank = new Map(CATEGORIES.map(({ key }, index) => [key, index]));
  return listings.sort(
    (a, b) => (rank.get(a.category) ?? 0) - (rank.get(b.category) ?? 0) || a.id - b.id,
  );
}

function* endless(): Generator<Listing> {
  const columns = Object.values(WELL_KNOWN);
  const taken = new Set(columns.flat().map(({ code }) => code));
  for (let row = 0; row < Math.max(...columns.map((column) => column.length)); row++) {
    for (const column of columns) {
      const listing = column[row];
      if (listing) yield listing;
    }
  }
  yield* generatedListings(taken);
}

/** The terms of a well-known code. */
export function wellKnown(code: string): Listing | undefined {
  return Object.values(WELL_KNOWN)
    .flat()
    .find((listing) => listing.code === code);
}
