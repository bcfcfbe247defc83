import { sign, toText } from '#domain/core/decimal';
import type { AccountTotals } from '#domain/trading/accountSummary';
import { heldUnits, stopOutPrice } from '#domain/trading/stopOut';
import type { Positions } from './positions';

/** The stop-out price of the account in each instrument that has one, by instrument id (domain.md#stop-out-price). */
export function stopOutPrices(
  account: AccountTotals,
  positions: Pick<Positions, 'held' | 'priceOf'>,
): Record<number, string> {
  const found: Record<number, string> = {};
  for (const { orders, followed } of positions.held()) {
    const { instrument } = followed;
    if (!instrument) continue;
    const exposure = heldUnits([...orders.values()], instrument.unitsPerLot);
    const side = sign(exposure) < 0 ? 'sell' : 'buy';
    const price = positions.priceOf({ side, status: 'holding' }, followed);
    if (!price) continue;
    const stopOut = stopOutPrice({ ...account, exposure }, price, instrument.precision);
    if (stopOut) found[instrument.id] = toText(stopOut);
  }
  return found;
}
