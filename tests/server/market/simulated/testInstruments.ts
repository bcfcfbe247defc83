import { catalogue } from '../../../../server/market/catalogue/catalogue';
import {
  type SimulatedInstrument,
  simulatedInstruments,
} from '../../../../server/market/simulated/simulatedInstrument';
import { TickRates } from '../../../../server/market/simulated/tickRates';

/** The instruments of a simulated market, by code. */
export function testInstruments(
  seed: string,
  ticksPerSecond = 20,
  count = 40,
): Map<string, SimulatedInstrument> {
  const allTerms = catalogue(count);
  const all = simulatedInstruments(seed, allTerms, new TickRates(allTerms, ticksPerSecond));
  return new Map([...all.values()].map((subject) => [subject.terms.code, subject]));
}

export function instrumentOf(
  all: Map<string, SimulatedInstrument>,
  code: string,
): SimulatedInstrument {
  const subject = all.get(code);
  if (!subject) throw new Error(`no ${code}`);
  return subject;
}

export const FRIDAY = Date.UTC(2026, 10, 20);
