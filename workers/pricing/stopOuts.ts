import { toText } from '#domain/core/decimal';
import type { AccountTotals } from '#domain/trading/accountSummary';
import { stopOutPrice } from '#domain/trading/stopOut';
import type { HeldInstrument } from './positions';

/** The stop-out price of the account in each instrument that has one, by instrument id (domain.md#stop-out-price). */
export function stopOutPrices(
  account: AccountTotals,
  held: readonly HeldInstrument[],
): Record<number, string> {
  const found: Record<number, string> = {};
  for (const { instrument, price, exposure } of held) {
    const stopOut = stopOutPrice({ ...account, exposure }, price, instrument.precision);
    if (stopOut) found[instrument.id] = toText(stopOut);
  }
  return found;
}
