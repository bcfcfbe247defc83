import fc from 'fast-check';
import { decimal } from '#domain/core/decimal';
import { toFeeRate, toLeverage, toLots, toUnitsPerLot, toUsd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { seed } from '../../helpers/samples';
import { instrument } from '../support/scriptedMarket';

const shapes = fc.record({
  precision: fc.integer({ min: 0, max: 5 }),
  unitsPerLot: fc
    .constantFrom('0.1', '1', '10', '100', '1000', '5000', '100000')
    .map(toUnitsPerLot),
  lotStep: fc.constantFrom('0.01', '0.1', '0.25', '1').map((step) => toLots(step)),
  marginMode: fc.constantFrom('fixed' as const, 'leveraged' as const, 'leveraged' as const),
  leverages: fc
    .uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 })
    .map((values) => values.map((value) => toLeverage(value))),
  feeRate: fc.integer({ min: 0, max: 20_000 }).map((rate) => toFeeRate(decimal(rate, 5))),
});

/** Instruments that differ as much as brokers' instruments do, with odd fee rates, steps and decimals; the same for a seed. */
export function oddInstruments(count: number): Instrument[] {
  return fc.sample(shapes, { numRuns: count, seed }).map((shape, index) =>
    instrument(index + 1, `CODE${index + 1}`, {
      ...shape,
      minLots: shape.lotStep,
      swap: {
        long: toUsd(decimal(-1037 * (index + 1), 4)),
        short: toUsd(decimal(219 * (index - 9), 4)),
        triple: index % 8 < 7 ? index % 7 : undefined,
      },
    }),
  );
}
