import { toFeeRate, toLeverage, toLots, toPrice, toUnitsPerLot, toUsd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';

/** Values with their unit, for tests. */
export const usd = toUsd;
export const price = toPrice;
export const lots = toLots;
export const times = toLeverage;

interface Shape {
  id?: number;
  code?: string;
  precision?: number;
  lotStep?: string;
  minLots?: string;
  unitsPerLot?: string;
  marginMode?: Instrument['marginMode'];
  leverages?: number[];
  feeRate?: string;
}

/** EURUSD as brokers list it, with the fields that the test overrides. */
export function instrument(shape: Shape = {}): Instrument {
  return {
    id: shape.id ?? 1,
    code: shape.code ?? 'EURUSD',
    name: shape.code ?? 'EUR/USD',
    logo: '',
    categoryId: 1,
    precision: shape.precision ?? 5,
    lotStep: lots(shape.lotStep ?? '0.01'),
    minLots: lots(shape.minLots ?? '0.01'),
    unitsPerLot: toUnitsPerLot(shape.unitsPerLot ?? '100000'),
    marginMode: shape.marginMode ?? 'leveraged',
    leverages: (shape.leverages ?? [50, 100, 200]).map(times),
    feeRate: toFeeRate(shape.feeRate ?? '7'),
  };
}
