import type { Price } from '#domain/core/units';
import type { Side } from '#domain/trading/order';
import { approach, type PendingKind, pendingKind } from '#domain/trading/triggers';
import { t } from '../../../i18n/i18n';
import { distanceText } from '../../../instruments/distanceText';

const NAMES = {
  buy: { limit: 'trade.pending.buyLimit', stop: 'trade.pending.buyStop' },
  sell: { limit: 'trade.pending.sellLimit', stop: 'trade.pending.sellStop' },
} as const;

/**
 * What traders call a pending order, as buy limit (domain.md#pending-orders), and how far its target
 * is from the market; undefined where a price is missing, or the order would be filled immediately.
 */
export function pendingText(
  side: Side,
  target: Price | undefined,
  market: Price | undefined,
): { kind: PendingKind; name: string; distance: string } | undefined {
  const from = target && market && approach(target, market);
  if (!from) return undefined;
  const kind = pendingKind(side, from);
  return {
    kind,
    name: t(NAMES[side][kind]),
    distance: distanceText(target, market),
  };
}
