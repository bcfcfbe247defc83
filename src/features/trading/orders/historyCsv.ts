import { isZero, toFixed, toText } from '#domain/core/decimal';
import type { Order } from '#domain/trading/order';
import { PROFIT_SCALE } from '#domain/trading/profit';

/** Columns of the file: names of protocol.md#order, so that every spreadsheet and every version of ours agrees. */
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
  ['TradeFee', ({ fee }) => toFixed(fee, 2)],
  [
    'TargetLossPrice',
    ({ stopLoss, precision }) => (isZero(stopLoss) ? '' : toFixed(stopLoss, precision)),
  ],
  [
    'TargetProfitPrice',
    ({ takeProfit, precision }) => (isZero(takeProfit) ? '' : toFixed(takeProfit, precision)),
  ],
  ['CreateTime', ({ createdAt }) => new Date(createdAt).toISOString()],
  [
    'CompleteTime',
    ({ completedAt }) => (completedAt === undefined ? '' : new Date(completedAt).toISOString()),
  ],
  ['CloseReason', ({ closeReason }) => closeReason],
];

/** Orders as RFC 4180, with a byte order mark so that a spreadsheet reads it as UTF-8. */
export function historyCsv(orders: readonly Order[]): string {
  const lines = [
    COLUMNS.map(([name]) => name),
    ...orders.map((order) => COLUMNS.map(([, value]) => value(order))),
  ];
  return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** A name from the server that looks like a formula must not become one in a spreadsheet. */
function cell(text: string): string {
  const number = /^-?[\d.]+$/.test(text);
  const safe = !number && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
