import { isZero, toFixed, toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { netResult, PROFIT_SCALE, paidFee } from '#domain/trading/profit';
import { csv } from '../../../ui/csv';

/**
 * Columns of the file, named as in protocol.md#order, and the net result, in every language, so that files of all
 * versions agree.
 */
const COLUMNS: readonly [name: string, value: (order: Order) => string][] = [
  ['Id', ({ id }) => String(id)],
  ['Code', ({ code }) => code],
  ['Name', ({ name }) => name],
  ['OrderType', ({ side }) => side],
  ['Quantity', ({ lots }) => toText(lots)],
  ['Multiple', ({ multiplier }) => toText(multiplier)],
  ['OriginPrice', ({ originPrice, precision }) => toFixed(originPrice, precision)],
  ['Price', ({ price, precision }) => (isZero(price) ? '' : toFixed(price, precision))],
  ['UpdatePrice', ({ updatePrice, precision }) => toFixed(updatePrice, precision)],
  ['FactProfits', ({ profit }) => toFixed(profit, PROFIT_SCALE)],
  ['CautionMoney', ({ margin }) => toFixed(margin, 2)],
  ['TradeFee', (order) => toFixed(paidFee(order), 2)],
  ['NetResult', (order) => toFixed(netResult(order), PROFIT_SCALE)],
  [
    'TargetLossPrice',
    ({ stopLoss, precision }) => (isZero(stopLoss) ? '' : toFixed(stopLoss, precision)),
  ],
  [
    'TargetProfitPrice',
    ({ takeProfit, precision }) => (isZero(takeProfit) ? '' : toFixed(takeProfit, precision)),
  ],
  ['Trailing', ({ trailing, precision }) => (isZero(trailing) ? '' : toFixed(trailing, precision))],
  ['CreateTime', ({ createdAt }) => new Date(createdAt).toISOString()],
  [
    'CompleteTime',
    ({ completedAt }) => (completedAt === undefined ? '' : new Date(completedAt).toISOString()),
  ],
  ['CloseReason', ({ closeReason }) => closeReason],
];

/** Orders as CSV. */
export function historyCsv(orders: readonly Order[]): string {
  return csv([
    COLUMNS.map(([name]) => name),
    ...orders.map((order) => COLUMNS.map(([, value]) => value(order))),
  ]);
}
