import { isZero, toNumber } from '#domain/core/decimal';
import { CENTS, type Price } from '#domain/core/units';
import {
  CLOSE_REASONS,
  type CloseReason,
  type Order,
  type OrderStatus,
  type Side,
} from '#domain/trading/order';
import { netResult, paidFee } from '#domain/trading/profit';
import type { OrderSort } from '#domain/worker/trading';
import {
  formatAmount,
  formatExact,
  formatPrice,
  formatSeconds,
  isolated,
} from '../../../i18n/format';
import { type StringKey, t } from '../../../i18n/i18n';
import { trailsText } from '../../../positions/placedText';
import { awayText, kindText } from '../ticket/pendingText';

export type ColumnName =
  | 'name'
  | 'side'
  | 'lots'
  | 'leverage'
  | 'originPrice'
  | 'price'
  | 'latest'
  | 'distance'
  | 'until'
  | 'closingPrice'
  | 'stopLoss'
  | 'takeProfit'
  | 'exits'
  | 'margin'
  | 'fee'
  | 'profit'
  | 'net'
  | 'createdAt'
  | 'completedAt'
  | 'reason';

/** The most important columns come first: the last ones may be beyond the edge. */
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
    'leverage',
    'createdAt',
  ],
  pending: [
    'name',
    'side',
    'lots',
    'originPrice',
    'latest',
    'distance',
    'stopLoss',
    'takeProfit',
    'until',
    'margin',
    'leverage',
    'createdAt',
  ],
  closed: ['name', 'side', 'lots', 'price', 'closingPrice', 'net', 'fee', 'reason', 'completedAt'],
};

/** What fits below a chart; the sheet of an order has the rest. */
const NARROW: Record<OrderStatus, readonly ColumnName[]> = {
  holding: ['name', 'lots', 'profit', 'side', 'price', 'latest', 'exits'],
  pending: ['name', 'side', 'lots', 'originPrice', 'distance', 'exits', 'until', 'margin'],
  closed: ['name', 'side', 'lots', 'price', 'closingPrice', 'net', 'fee', 'completedAt'],
};

/** The columns of a tab on a desktop. */
export function columnsOf(status: OrderStatus, narrow: boolean): readonly ColumnName[] {
  return (narrow ? NARROW : COLUMNS)[status];
}

/** The word at the head of a column. */
export function columnLabel(column: ColumnName): StringKey {
  return column === 'exits' ? 'trade.position.exits' : `orders.field.${column}`;
}

/** Text columns, aligned at the start; all others are figures. */
export const WORDS: ReadonlySet<ColumnName> = new Set(['name', 'side', 'reason']);
/** Times are written in the direction of the language, as words are. */
export const TIMES: ReadonlySet<ColumnName> = new Set(['createdAt', 'completedAt', 'until']);
/** Columns that are live for an open order. */
export const LIVE: ReadonlySet<ColumnName> = new Set(['latest', 'profit', 'distance']);

/** The text of a cell. */
export function cellText(column: ColumnName, order: Order): string {
  const price = (value: Price) =>
    isZero(value) ? '–' : formatPrice(toNumber(value), order.precision);
  switch (column) {
    case 'name':
      return order.name;
    case 'side':
      return kindText(order);
    case 'lots':
      return formatExact(order.lots);
    case 'leverage':
      return isZero(order.leverage)
        ? '–'
        : t('common.times', { value: formatExact(order.leverage) });
    case 'originPrice':
      return price(order.originPrice);
    case 'price':
      return price(order.price);
    case 'latest':
    case 'closingPrice':
      return price(order.updatePrice);
    case 'stopLoss':
      return isZero(order.trailing)
        ? price(order.stopLoss)
        : `${price(order.stopLoss)} · ${isolated(trailsText(order))}`;
    case 'takeProfit':
      return price(order.takeProfit);
    case 'exits':
      return exitsText(order, price).join('\n') || '–';
    case 'margin':
      return formatAmount(order.margin, 2);
    case 'fee':
      return formatAmount(paidFee(order), 2);
    case 'profit':
      return formatAmount(order.profit, CENTS, 'always');
    case 'net':
      return formatAmount(netResult(order), CENTS, 'always');
    case 'distance':
      return awayText(order);
    case 'until':
      return order.until === undefined ? '–' : formatSeconds(order.until);
    case 'createdAt':
      return formatSeconds(order.createdAt);
    case 'completedAt':
      return order.completedAt === undefined ? '–' : formatSeconds(order.completedAt);
    case 'reason':
      return reasonText(order.closeReason);
  }
}

/** A line for each exit that is set. */
function exitsText(order: Order, price: (value: Price) => string): string[] {
  const { stopLoss, takeProfit, trailing } = order;
  const loss = [
    isZero(stopLoss) ? [] : price(stopLoss),
    isZero(trailing) ? [] : isolated(trailsText(order)),
  ].flat();
  return [
    loss.length > 0 ? `${t('trade.line.stopLoss')} ${loss.join(' · ')}` : [],
    isZero(takeProfit) ? [] : `${t('trade.line.takeProfit')} ${price(takeProfit)}`,
  ].flat();
}

const SIDES: readonly Side[] = ['buy', 'sell'];
const REASONS: readonly CloseReason[] = ['', ...CLOSE_REASONS];

/** How the worker sorts orders by a column. Words sort as they are shown in the present language. */
export function orderSort(column: ColumnName, descending: boolean): OrderSort {
  const field = fieldOf(column);
  if (column === 'side') return { column: field, descending, labels: labels(SIDES, sideText) };
  if (column === 'reason')
    return { column: field, descending, labels: labels(REASONS, reasonText) };
  return { column: field, descending };
}

/** The field of Order that a column sorts by. */
function fieldOf(column: ColumnName): OrderSort['column'] {
  switch (column) {
    case 'latest':
    case 'closingPrice':
      return 'updatePrice';
    case 'reason':
      return 'closeReason';
    case 'exits':
      return 'stopLoss';
    default:
      return column;
  }
}

function labels<T extends string>(values: readonly T[], text: (value: T) => string) {
  return Object.fromEntries(values.map((value) => [value, text(value)]));
}

function sideText(side: Side): string {
  return t(`orders.side.${side}`);
}

function reasonText(reason: CloseReason): string {
  return reason ? t(`orders.reason.${reason}`) : '–';
}
