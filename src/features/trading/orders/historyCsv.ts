import { isZero, toFixed, toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { netResult, PROFIT_SCALE, paidFee } from '#domain/trading/profit';
import { type StringKey, t } from '../../../i18n/i18n';
import { csv } from '../../../ui/csv';

type Column = readonly [name: StringKey, value: (order: Order) => string];

const SWAP: Column = ['orders.field.swap', ({ swap }) => toFixed(swap, 2)];

/** Columns of the file, named as on the screen. Figures and times are for programs: in every language the same. */
const COLUMNS: readonly Column[] = [
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
  SWAP,
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

/** Orders as CSV, in the language of the app. Without nights that were charged, nothing says so. */
export function historyCsv(orders: readonly Order[]): string {
  const charged = orders.some(({ swap }) => !isZero(swap));
  const columns = COLUMNS.filter((column) => charged || column !== SWAP);
  return csv([
    columns.map(([name]) => t(name)),
    ...orders.map((order) => columns.map(([, value]) => value(order))),
  ]);
}
