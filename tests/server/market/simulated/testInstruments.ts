import { catalogue } from '../../../../server/market/catalogue/catalogue';
import { type Subject, subjects } from '../../../../server/market/simulated/simulatedInstrument';
import { Pace } from '../../../../server/market/simulated/tickRates';

/** The subjects of a simulated market, by code. */
export function world(seed: string, ticksPerSecond = 20, count = 40): Map<string, Subject> {
  const listings = catalogue(count);
  const all = subjects(seed, listings, new Pace(listings, ticksPerSecond));
  return new Map([...all.values()].map((subject) => [subject.listing.code, subject]));
}

export function subjectOf(all: Map<string, Subject>, code: string): Subject {
  const subject = all.get(code);
  if (!subject) throw new Error(`no ${code}`);
  return subject;
}

export const FRIDAY = Date.UTC(2026, 10, 20);
