import { toFixed } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import { quotedPriceText } from '#domain/market/quotedPrice';
import type { Alert } from '#domain/trading/alert';
import { newKey } from '../../../worker/key';
import { peekQuote } from '../../../worker/quotes';
import { workerApi } from '../../../worker/workerApi';

/**
 * Sets an alert at another price, and deletes the former one once that is done: never is there none. Returns whether both
 * are done.
 */
export async function moveAlert(
  alert: Alert,
  price: Price,
  instrumentId: number,
): Promise<boolean> {
  const { precision, repeat, note, until, id } = alert;
  const text = toFixed(price, precision);
  if (text === toFixed(alert.price, precision)) return false;
  const quote = quotedPriceText(peekQuote(instrumentId)?.close ?? Number.NaN, precision);
  const form = { instrumentId, price: text, quote, repeat, note, until };
  const added = await workerApi.addAlert(form, newKey());
  return added.ok && (await workerApi.deleteAlert(id, newKey())).ok;
}
