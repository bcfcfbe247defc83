import { toNumber } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import { approach } from '#domain/trading/triggers';
import { formatPercent } from '../i18n/format';
import { t } from '../i18n/i18n';

/** How far a price is from the market, as `1.20% above the market`; empty where the market stands on it. */
export function distanceText(price: Price, market: Price): string {
  const from = approach(price, market);
  if (!from) return '';
  const share = formatPercent(Math.abs(toNumber(price) / toNumber(market) - 1));
  return t(from === 'rise' ? 'trade.pending.above' : 'trade.pending.below', { share });
}
