import { toNumber } from '#domain/core/decimal';
import type { Lots } from '#domain/core/units';
import { formatExact } from '../i18n/format';
import { t } from '../i18n/i18n';

/** A quantity with its unit: `0.75 lots`. */
export function lotsText(lots: Lots): string {
  return t('orders.lots', { count: toNumber(lots), lots: formatExact(lots) });
}
