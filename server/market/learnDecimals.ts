import { decimalsFor } from '#domain/market/decimals';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';

/**
 * An exchange makes its step finer while the server runs: the instrument has the decimals of the finest price that has
 * come, so that list, bars and fills say the same.
 */
export function learnDecimals(
  instrument: Instrument | undefined,
  ...prices: readonly (number | undefined)[]
): void {
  if (!instrument) return;
  for (const price of prices) {
    if (price !== undefined) instrument.precision = decimalsFor(price, instrument.precision);
  }
}

/** As `learnDecimals`, of bars. */
export function learnOfBars(instrument: Instrument | undefined, bars: readonly Bar[]): void {
  for (const { open, high, low, close } of bars) learnDecimals(instrument, open, high, low, close);
}
