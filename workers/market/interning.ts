import type { Decimal } from '#domain/core/decimal';
import type { Instrument } from '#domain/market/instrument';

/**
 * Returns a function that makes equal decimals, and equal lists of multipliers, of all instruments
 * passed to it one object: ten thousand instruments have a handful of different values.
 */
export function createInterner(): (instrument: Instrument) => void {
  const decimals = new Map<string, Decimal>();
  const lists = new Map<string, Decimal[]>();

  const keyOf = ({ digits, scale }: Decimal) => `${digits}e${scale}`;

  function one<T extends Decimal>(decimal: T): T {
    return shared(decimals, keyOf(decimal), decimal);
  }

  return (instrument) => {
    instrument.lotStep = one(instrument.lotStep);
    instrument.minLots = one(instrument.minLots);
    instrument.unitsPerLot = one(instrument.unitsPerLot);
    instrument.feeRate = one(instrument.feeRate);
    const { multipliers } = instrument;
    instrument.multipliers = shared(lists, multipliers.map(keyOf).join(), multipliers);
  };
}

function shared<T>(known: Map<string, unknown>, key: string, value: T): T {
  const other = known.get(key) as T | undefined;
  if (other === undefined) known.set(key, value);
  return other ?? value;
}
