import { generatedTerms } from './generated';
import { CATEGORIES, type InstrumentTerms } from './instrumentTerms';
import { WELL_KNOWN } from './wellKnown';

export interface NumberedInstrumentTerms extends InstrumentTerms {
  id: number;
}

/**
 * The instruments of the simulated market, in display order. An instrument has the same id, code
 * and terms whatever the count; a small count takes some of every category, so that something
 * always trades.
 */
export function catalogue(count: number): NumberedInstrumentTerms[] {
  const allTerms: NumberedInstrumentTerms[] = [];
  for (const terms of endless()) {
    if (allTerms.length === count) break;
    allTerms.push({ ...terms, id: allTerms.length + 1 });
  }
  const rank = new Map(CATEGORIES.map(({ key }, index) => [key, index]));
  return allTerms.sort(
    (a, b) => (rank.get(a.category) ?? 0) - (rank.get(b.category) ?? 0) || a.id - b.id,
  );
}

function* endless(): Generator<InstrumentTerms> {
  const columns = Object.values(WELL_KNOWN);
  const taken = new Set(columns.flat().map(({ code }) => code));
  for (let row = 0; row < Math.max(...columns.map((column) => column.length)); row++) {
    for (const column of columns) {
      const terms = column[row];
      if (terms) yield terms;
    }
  }
  yield* generatedTerms(taken);
}

/** The terms of a well-known code. */
export function wellKnown(code: string): InstrumentTerms | undefined {
  return Object.values(WELL_KNOWN)
    .flat()
    .find((terms) => terms.code === code);
}
