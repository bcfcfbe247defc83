import { toFixed } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import { quotedPriceText } from '#domain/market/quotedPrice';
import type { Alert } from '#domain/trading/alert';
import { connectionLive } from '../../../worker/frameReceiver';
import { newKey } from '../../../worker/key';
import { peekQuote } from '../../../worker/quotes';
import { workerApi } from '../../../worker/workerApi';

/** What an alert of the list is becoming: it may be moved again before the list comes without it. */
const moving = new Map<number, Promise<Alert>>();

/**
 * Sets an alert at another price, and deletes the former one once that is done: never is there none, and in the end one. Returns whether
 * it is there.
 */
export async function moveAlert(
  alert: Alert,
  price: Price,
  instrumentId: number,
): Promise<boolean> {
  // As `useCall`: otherwise it would be sent later than the user thinks.
  if (!connectionLive.peek()) return false;
  const before = moving.get(alert.id) ?? Promise.resolve(alert);
  const move = before.then((present) => replaced(present, price, instrumentId));
  moving.set(alert.id, move);
  return textOf(await move) === toFixed(price, alert.precision);
}

const textOf = ({ price, precision }: Alert) => toFixed(price, precision);

/** The alert in its place, or itself where that can't be set or it can't be deleted: then the list has both. */
async function replaced(alert: Alert, price: Price, instrumentId: number): Promise<Alert> {
  const { precision, repeat, note, until, id } = alert;
  const text = toFixed(price, precision);
  if (text === textOf(alert)) return alert;
  const quote = quotedPriceText(peekQuote(instrumentId)?.close ?? Number.NaN, precision);
  const form = { instrumentId, price: text, quote, repeat, note, until };
  const added = await workerApi.addAlert(form, newKey());
  if (!added.ok) return alert;
  const deleted = await workerApi.deleteAlert(id, newKey());
  if (!deleted.ok) return alert;
  return added.data.data ?? { ...alert, price };
}
