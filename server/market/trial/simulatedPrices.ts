import { DAY_MS, millisecondOf, secondOf, toUnixMs, type UnixMs } from '#domain/core/time';
import type { PricePoint } from '#domain/market/plausibility';
import { catalogue } from '../catalogue/catalogue';
import { MINUTE } from '../simulated/barNode';
import { nodesBefore } from '../simulated/history';
import { simulatedInstruments } from '../simulated/simulatedInstrument';
import { ticksOf } from '../simulated/split';
import { Spread } from '../simulated/spread';
import { TickRates } from '../simulated/tickRates';

interface SimulatedPrices {
  seed: string;
  instruments: number;
  ticksPerSecond: number;
  /** A UTC day. */
  day: UnixMs;
}

const MINUTES_PER_DAY = 1_440;

/** All prices that a simulated market has on a day, instrument by instrument. */
export function* simulatedPrices(
  options: SimulatedPrices,
): Generator<{ code: string; point: PricePoint }> {
  const allTerms = catalogue(options.instruments);
  const rates = new TickRates(allTerms, options.ticksPerSecond);
  const end = secondOf(toUnixMs(options.day + DAY_MS));
  for (const subject of simulatedInstruments(options.seed, allTerms, rates).values()) {
    const { code, precision } = subject.terms;
    const points = 10 ** precision;
    const spread = new Spread(subject.terms);
    for (const minute of nodesBefore(subject, MINUTE, end, MINUTES_PER_DAY).reverse()) {
      const begins = millisecondOf(minute.time);
      if (begins < options.day) continue;
      const ticks = ticksOf(subject, minute);
      for (let i = 0; i < ticks.count; i++) {
        const price = ticks.price(i);
        const point = {
          price: price / points,
          time: toUnixMs(begins + ticks.offset(i)),
          bid: spread.bid(price) / points,
          ask: spread.ask(price) / points,
        };
        yield { code, point };
      }
    }
  }
}
