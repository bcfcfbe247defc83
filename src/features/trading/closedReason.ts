import type { ListRow } from '#domain/market/list';
import { t } from '../../i18n/i18n';

/** Why an instrument is closed, where the hours are not the reason; empty otherwise. */
export function closedReason(row: ListRow): string {
  if (row.delisted) return t('trade.blocked.delisted', { name: row.instrument.name });
  return row.closedReason ?? '';
}
