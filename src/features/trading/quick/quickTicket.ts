import { compare, ZERO } from '#domain/core/decimal';
import { readLots, readPrice, readUsd } from '#domain/core/readAmounts';
import type { Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { quotedPriceText } from '#domain/market/quotedPrice';
import { notional } from '#domain/trading/notional';
import type { Side } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import { formatNumberInput } from '../../../i18n/numberInput';
import { newTicket, toTicketInput } from '../ticket/ticketForm';

/** A market order without exits, of `lots` (a plain decimal), which carries the price that the user sees on its button. */
export function quickTicket(
  instrument: Instrument,
  side: Side,
  lots: string,
  seen: number,
  { leverage, slow }: { leverage: string; slow: boolean },
): TicketInput {
  const form = { ...newTicket(instrument, side, leverage), lots: formatNumberInput(lots) };
  const price = quotedPriceText(seen, instrument.precision);
  return toTicketInput(form, instrument, undefined, price, slow);
}

/** The user's limit of an order; zero where it is no amount, so that nothing is ordered. */
export function readLargest(text: string): Usd {
  return readUsd(text) ?? ZERO;
}

/** Whether the order is worth more than the limit at the price that was seen, or that is not known. */
export function tooLarge(
  { lots, targetPrice }: TicketInput,
  { unitsPerLot }: Instrument,
  largest: Usd,
): boolean {
  const [size, price] = [readLots(lots), readPrice(targetPrice)];
  return !size || !price || compare(notional(price, size, unitsPerLot), largest) > 0;
}
