import { toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';

/** What a user sees of an order. */
export function orderText(
  order: Pick<Order, 'id' | 'side' | 'status' | 'closeReason' | 'createdAt'> &
    Omit<Order, 'instrumentId' | 'precision'>,
): string {
  const { id, side, status, closeReason, createdAt, completedAt } = order;
  const { lots, price, profit, margin, fee, stopLoss, takeProfit, originPrice } = order;
  return [
    ...[id, side, status, closeReason, createdAt, completedAt],
    ...[lots, price, profit, margin, fee, stopLoss, takeProfit, originPrice].map(toText),
  ].join(' ');
}
