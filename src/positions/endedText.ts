import type { Order } from '#domain/trading/order';
import { netResult } from '#domain/trading/profit';
import { formatAmount } from '../i18n/format';
import { t } from '../i18n/i18n';
import { lotsText } from './lotsText';

/** A server's confirmation as the beginning of a longer text: some end it like a sentence. */
export function heading(text: string): string {
  return text.replace(/[.。।]$/, '');
}

/** What ended, why, and its net result: `Stop-loss: Buy 1 lot of EUR/USD, +3.00 USD`. */
export function endedText(reason: string, order: Order): string {
  const profit = formatAmount(netResult(order), 2, 'always');
  return t('orders.ended', { ...orderTerms(order), reason, profit });
}

/** An order as the placeholders of sentences. */
export function orderTerms({ side, lots, name }: Order) {
  return { side: t(`orders.side.${side}`), size: lotsText(lots), name };
}
