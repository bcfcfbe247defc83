import { compare, isZero, toNumber } from '#domain/core/decimal';
import type { Price } from '#domain/core/units';
import type { Order, OrderStatus } from '#domain/trading/order';
import { formatAmount, formatDateTime, formatExact, formatPrice } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';

export type ColumnName =
  | 'name'
  | 'side'
  | 'lots'
  | 'multiplier'
  | 'originPrice'
  | 'price'
  | 'latest'
  | 'closingPrice'
  | 'stopLoss'
  | 'takeProfit'
  | 'margin'
  | 'fee'
  | 'profit'
  | 'createdAt'
  | 'completedAt'
  | 'reason';

/** What matters most stands first: the panel below a chart is narrow. */
const COLUMNS: Record<OrderStatus, readonly ColumnName[]> = {
  holding: [
    'name',
    'side',
    'lots',
    'price',
    'latest',
    'profit',
    'stopLoss',
    'takeProfit',
    'margin',
    'multiplier',
    'createdAt',
  ],
  pending: [
    'name',
    'side',
    'lots',
    'originPrice',
    'stopLoss',
    'takeProfit',
    'margin',
    'multiplier',
    'createdAt',
  ],
  closed: [
    'name',
    'side',
    'lots',
    'price',
    'closingPrice',
    'profit',
    'reason',
    'completedAt',
    'fee',
  ],
};

/** The columns of a tab on a desktop. */
export function columnsOf(status: OrderStatus): readonly ColumnName[] {
  return COLUMNS[status];
}

/** Columns whose text stands at the start of its cell; all others are figures. */
export const WORDS: ReadonlySet<ColumnName> = new Set(['name', 'side', 'reason']);
/** Columns that a holding order paints live. */
export const LIVE: ReadonlySet<ColumnName> = new Set(['latest', 'profit']);

/** What stands in a cell. */
export function cellText(column: ColumnName, order: Order): string {
  const price = (value: Price) =>
    isZero(value) ? '–' : formatPrice(toNumber(value), order.precision);
  switch (column) {
    case 'name':
      return order.name;
    case 'side':
      return t(`orders.side.${order.side}`);
    case 'lots':
      return formatExact(order.lots);
    case 'multiplier':
      return isZero(order.multiplier)
        ? '–'
        : t('orders.times', { value: formatExact(order.multiplier) });
    case 'originPrice':
      return price(order.originPrice);
    case 'price':
      return price(order.price);
    case 'latest':
    case 'closingPrice':
      return price(order.updatePrice);
    case 'stopLoss':
      return price(order.stopLoss);
    case 'takeProfit':
      return price(order.takeProfit);
    case 'margin':
      return formatAmount(order.margin, 2);
    case 'fee':
      return formatAmount(order.fee, 2);
    case 'profit':
      return formatAmount(order.profit, 6, 'always');
    case 'createdAt':
      return formatDateTime(order.createdAt);
    case 'completedAt':
      return order.completedAt === undefined ? '–' : formatDateTime(order.completedAt);
    case 'reason':
      return order.closeReason ? t(`orders.reason.${order.closeReason}`) : '–';
  }
}

/** Orders by a column, the newest of equals first. */
export function sortOrders(
  orders: readonly Order[],
  column: ColumnName,
  descending: boolean,
): Order[] {
  const sign = descending ? -1 : 1;
  return [...orders].sort((a, b) => sign * compareBy(column, a, b) || b.id - a.id);
}

function compareBy(column: ColumnName, a: Order, b: Order): number {
  switch (column) {
    case 'name':
    case 'side':
    case 'reason':
      return cellText(column, a).localeCompare(cellText(column, b));
    case 'createdAt':
    case 'completedAt':
      return (a[column] ?? 0) - (b[column] ?? 0);
    case 'latest':
    case 'closingPrice':
      return compare(a.updatePrice, b.updatePrice);
    default:
      return compare(a[column], b[column]);
  }
}
