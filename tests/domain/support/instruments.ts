import { type Decimal, toDecimal } from '#domain/core/decimal';
import type { Lots, Multiplier, Price, Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';

/** Values with their unit, for tests. */
export const usd = (value: string | number) => toDecimal(value) as Usd;
export const price = (value: string | number) => toDecimal(value) as Price;
export const lots = (value: string | number) => toDecimal(value) as Lots;
export const times = (value: string | number) => toDecimal(value) as Multiplier;

interface Shape {
  id?: number;
  code?: string;
  precision?: number;
  lotStep?: string;
  minLots?: string;
  unitsPerLot?: string;
  marginMode?: Instrument['marginMode'];
  multipliers?: number[];
  feeRate?: string;
}

/** An instrument as brokers list EURUSD, but for what the test says. */
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
    unitsPerLot: toDecimal(shape.unitsPerLot ?? '100000') as Decimal,
    marginMode: shape.marginMode ?? 'leveraged',
    multipliers: (shape.multipliers ?? [50, 100, 200]).map(times),
    feeRate: usd(shape.feeRate ?? '7'),
  };
}
