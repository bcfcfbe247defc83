import { type Decimal, isZero, toFixed, toText } from '#domain/core/decimal';
import type { UnixMs } from '#domain/core/time';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { Trade } from '#domain/trading/results';
import {
  type AccountParts,
  MOVEMENT_KINDS,
  type Statement,
  statementLines,
} from '#domain/wallet/statement';
import { csv } from '../../../ui/csv';

/**
 * As many decimals, at least two, as write every amount of the statement exactly: then what stands on
 * paper adds up to the last digit (domain.md#account-statement).
 */
export function decimalsOf(statement: Statement, parts: AccountParts | undefined): number {
  const amounts: Decimal[] = [
    statement.opening,
    statement.closing,
    statement.totals.profit,
    ...MOVEMENT_KINDS.map((kind) => statement.moved[kind]),
    ...statement.trades.flatMap((trade) => [trade.profit, trade.fee, trade.swap]),
    ...statement.movements.map(({ value }) => value),
    ...(parts ? [parts.balance, parts.openFees, parts.openSwap] : []),
  ];
  return amounts.reduce((most, amount) => Math.max(most, decimals(amount)), 2);
}

/** Whether a trade was charged for its nights; otherwise nothing says so. */
export function hasSwap(trades: readonly Trade[]): boolean {
  return trades.some(({ swap }) => !isZero(swap));
}

function decimals(amount: Decimal): number {
  const text = toText(amount);
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

const COLUMNS = [
  'Time',
  'Kind',
  'Id',
  'Text',
  'Side',
  'Lots',
  'Entry',
  'Exit',
  'Profit',
  'Fee',
  'Swap',
  'Amount',
  'Balance',
] as const;
type Line = Partial<Record<(typeof COLUMNS)[number], string>>;

const time = (moment: UnixMs) => new Date(moment).toISOString();
const amountText = (amount: Decimal) => toFixed(amount, PROFIT_SCALE);

/**
 * The statement as CSV, with the same columns in every language: each line adds its amount to the
 * balance of the line before.
 */
export function statementCsv(statement: Statement): string {
  const { period, opening, closing } = statement;
  const first = period.from > 0 ? time(period.from) : '';
  const lines: Line[] = [
    { Time: first, Kind: 'opening', Balance: amountText(opening) },
    ...statementLines(statement).map(({ time: at, amount, balance, of }): Line => {
      const common = { Time: time(at), Amount: amountText(amount), Balance: amountText(balance) };
      if (!of.trade) {
        const { kind, id, text } = of.movement;
        return { ...common, Kind: kind, Id: String(id), Text: text };
      }
      const { id, name, side, lots, price, updatePrice, precision, profit, fee, swap } = of.trade;
      return {
        ...common,
        Kind: 'order',
        Id: String(id),
        Text: name,
        Side: side,
        Lots: toText(lots),
        Entry: toFixed(price, precision),
        Exit: toFixed(updatePrice, precision),
        Profit: amountText(profit),
        Fee: amountText(fee),
        Swap: amountText(swap),
      };
    }),
    { Time: time(period.until), Kind: 'closing', Balance: amountText(closing) },
  ];
  const charged = hasSwap(statement.trades);
  const columns = COLUMNS.filter((column) => charged || column !== 'Swap');
  return csv([columns, ...lines.map((line) => columns.map((column) => line[column] ?? ''))]);
}
