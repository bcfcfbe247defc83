import { decimal, product, quotient, sign, subtract } from '#domain/core/decimal';
import { type Price, toPrice } from '#domain/core/units';
import { decimalsFor } from '#domain/market/decimals';
import type { Order, Side } from '#domain/trading/order';
import { approach, type PendingKind, pendingKind } from '#domain/trading/triggers';
import { formatPrice, formatRate, isolated } from '../../../i18n/format';
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
  if (!target || !market || sign(market) <= 0) return undefined;
  const from = approach(target, market);
  if (!from) return undefined;
  const kind = pendingKind(side, from);
  return {
    kind,
    name: t(NAMES[side][kind]),
    distance: distanceText(target, market),
  };
}

/** What an order is called: a pending one as traders do, any other by its side. */
export function kindText({ status, side, originPrice, updatePrice }: Order): string {
  const pending = status === 'pending' ? pendingText(side, originPrice, updatePrice) : undefined;
  return pending?.name ?? t(`orders.side.${side}`);
}

/** The market's price and how far a pending order is from it; a price of 0 is none. */
export function marketText({ side, originPrice, precision }: Order, price: number): string {
  if (!(price > 0)) return '–';
  const shown = isolated(formatPrice(price, decimalsFor(price, precision)));
  const away = pendingText(side, originPrice, toPrice(price))?.distance;
  return away ? `${shown} · ${away}` : shown;
}

/** How far a target is from the market's price, in percent with a sign. */
export function awayText({
  originPrice,
  updatePrice,
}: Pick<Order, 'originPrice' | 'updatePrice'>): string {
  if (sign(updatePrice) <= 0) return '–';
  const away = product(subtract(originPrice, updatePrice), decimal(100));
  return formatRate(quotient(away, updatePrice, 2), 2, 'always');
}
