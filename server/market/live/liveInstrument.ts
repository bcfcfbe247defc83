import { AROUND_THE_CLOCK } from '#domain/market/hours';
import type { Instrument } from '#domain/market/instrument';
import type { FeeType } from '#domain/trading/margin';
import type { RecordedCode } from '../../db/schema/market';
import { wellKnown } from '../catalogue/catalogue';
import { CATEGORY_DEFAULTS, unitsAt } from '../catalogue/categoryDefaults';
import { toInstrument } from '../catalogue/instrumentTerms';
import type { ListedPair } from './codec';

/** The smallest lot, and the step of lots. */
const LOT_STEP = 0.01;

/**
 * The instrument of a live code. Units a lot follow from the price at which the code was first listed, so that
 * they stay; what the exchange lists gives decimals and the smallest order.
 */
export function liveInstrument(
  id: number,
  { code, decimals, price }: RecordedCode,
  listed: ListedPair | undefined,
  feeType: FeeType,
): Instrument {
  const usual = CATEGORY_DEFAULTS.crypto;
  const [base = code] = code.split('/');
  const known = wellKnown(`${base}USD`);
  const unitsPerLot = known?.unitsPerLot ?? unitsAt(price || usual.base, usual);
  const steps = Math.max(1, Math.ceil((listed?.minimum ?? 0) / unitsPerLot / LOT_STEP - 1e-9));
  const terms = {
    ...(known ?? { ...usual, base: price || usual.base }),
    precision: listed?.precision ?? decimals,
    unitsPerLot,
    minLots: (steps * LOT_STEP).toFixed(2),
  };
  const instrument = toInstrument(id, code, code, terms, feeType);
  const { logo } = toInstrument(id, `${base}USD`, code, terms, feeType);
  return { ...instrument, logo, hours: AROUND_THE_CLOCK };
}
