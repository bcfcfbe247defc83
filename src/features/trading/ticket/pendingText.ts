import { toNumber } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import type { Side } from '#domain/trading/order';
import { type Approach, pendingKind } from '#domain/trading/triggers';
import { formatPercent } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';

const NAMES = {
  buy: { limit: 'trade.pending.buyLimit', stop: 'trade.pending.buyStop' },
  sell: { limit: 'trade.pending.sellLimit', stop: 'trade.pending.sellStop' },
} as const;

/** What traders call a pending order: buy limit, sell stop (domain.md#pending-orders). */
export function pendingName(side: Side, from: Approach): string {
  return t(NAMES[side][pendingKind(side, from)]);
}

/** How far a target is from the current price. */
export function distanceText(target: Price, price: Price): string {
  const share = toNumber(target) / toNumber(price) - 1;
  return t(share > 0 ? 'trade.pending.above' : 'trade.pending.below', {
    share: formatPercent(Math.abs(share)),
  });
}
