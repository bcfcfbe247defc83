import { isZero, toFixed, toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { netResult, PROFIT_SCALE, paidFee } from '#domain/trading/profit';
import { type StringKey, t } from '../../../i18n/i18n';
import { csv } from '../../../ui/csv';

/** Columns of the file, named as on the screen. Figures and times are for programs: in every language the same. */
const COLUMNS: readonly [name: StringKey, value: (order: Order) => string][] = [
  ['orders.field.id', ({ id }) => String(id)],
  ['trade.details.code', ({ code }) => code],
  ['orders.field.name', ({ name }) => name],
  ['orders.field.side', ({ side }) => t(`orders.side.${side}`)],
  ['orders.field.lots', ({ lots }) => toText(lots)],
  ['orders.field.leverage', ({ leverage }) => toText(leverage)],
  ['orders.field.originPrice', ({ originPrice, precision }) => toFixed(originPrice, precision)],
  [
    'orders.field.price',
    ({ price, precision }) => (isZero(price) ? '' : toFixed(price, precision)),
  ],
  ['orders.field.closingPrice', ({ updatePrice, precision }) => toFixed(updatePrice, precision)],
  ['orders.field.profit', ({ profit }) => toFixed(profit, PROFIT_SCALE)],
  ['orders.field.margin', ({ margin }) => toFixed(margin, 2)],
  ['orders.field.fee', (order) => toFixed(paidFee(order), 2)],
  ['orders.field.net', (order) => toFixed(netResult(order), PROFIT_SCALE)],
  [
    'orders.field.stopLoss',
    ({ stopLoss, precision }) => (isZero(stopLoss) ? '' : toFixed(stopLoss, precision)),
  ],
  [
    'orders.field.takeProfit',
    ({ takeProfit, precision }) => (isZero(takeProfit) ? '' : toFixed(takeProfit, precision)),
  ],
  [
    'orders.field.trailing',
    ({ trailing, precision }) => (isZero(trailing) ? '' : toFixed(trailing, precision)),
  ],
  ['orders.field.createdAt', ({ createdAt }) => new Date(createdAt).toISOString()],
  [
    'orders.field.completedAt',
    ({ completedAt }) => (completedAt === undefined ? '' : new Date(completedAt).toISOString()),
  ],
  [
    'orders.field.reason',
    ({ closeReason }) => (closeReason ? t(`orders.reason.${closeReason}`) : ''),
  ],
];

/** Orders as CSV, in the language of the app. */
export function historyCsv(orders: readonly Order[]): string {
  return csv([
    COLUMNS.map(([name]) => t(name)),
    ...orders.map((order) => COLUMNS.map(([, value]) => value(order))),
  ]);
}
