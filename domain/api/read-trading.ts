/** Readers of orders and the figures of an account (protocol.md#trading-calls): undefined for what can't be trusted. */

import { sign, ZERO } from '../core/decimal';
import type { ListPage } from '../core/paging';
import { type Fields, readFields, readInteger, readIsoTime, readText } from '../core/read';
import { readLots, readMultiplier, readPrice, readUsd } from '../core/readAmounts';
import { toUnixMs } from '../core/time';
import type { Usd } from '../core/units';
import { CLOSE_REASONS, type CloseReason, type Order, type OrderStatus } from '../trading/order';
import { readPage } from './read-page';

/** Order states by their number (domain.md#order-states). */
const STATUSES: Readonly<Record<number, OrderStatus>> = { 0: 'pending', 1: 'holding', 3: 'closed' };
const BUY = 1;
const REASONS: ReadonlySet<string> = new Set(CLOSE_REASONS);

/** An order as the server sends it: parts of ForexTradeLists may be missing. */
export interface ReadOrder extends Omit<Order, 'precision'> {
  /** 0 where the server does not say. */
  instrumentId: number;
  /** Undefined where the server does not say. */
  precision: number | undefined;
}

/** Fields that money depends on are required; fields that are only shown are optional. */
export function readOrder(row: unknown): ReadOrder | undefined {
  const fields = readFields(row);
  const listed = readFields(fields?.['ForexTradeLists']);
  if (!fields || !listed) return undefined;
  const id = readInteger(fields['Id']);
  const status = STATUSES[readInteger(fields['Status']) ?? Number.NaN];
  const type = readInteger(fields['OrderType']);
  const lots = readLots(fields['Quantity']);
  const margin = readUsd(fields['CautionMoney']);
  const amounts = readAmounts(fields, status === 'closed');
  if (id === undefined || id <= 0 || !status || type === undefined) return undefined;
  if (!lots || sign(lots) <= 0 || !margin || !amounts) return undefined;
  if (status === 'holding' && sign(amounts.price) <= 0) return undefined;
  const code = readText(listed['Code']) ?? '';
  const reason = readText(fields['CloseReason']) ?? '';
  return {
    id,
    instrumentId: readInteger(listed['Id']) ?? 0,
    code,
    name: readText(listed['ShowCode']) || code,
    precision: readPrecision(listed['PricePrecision']),
    side: type === BUY ? 'buy' : 'sell',
    lots,
    margin,
    ...amounts,
    status,
    createdAt: readIsoTime(fields['CreateTimeHandler']) ?? toUnixMs(0),
    completedAt: readIsoTime(fields['CompleteTimeHandler']),
    closeReason: REASONS.has(reason) ? (reason as CloseReason) : '',
  };
}

/** The optional amounts; undefined where the profit that a closed order has booked is there and can't be read. */
function readAmounts(fields: Fields, closed: boolean) {
  const profit = readUsd(fields['FactProfits']);
  if (closed && !profit && fields['FactProfits']) return undefined;
  return {
    multiplier: readMultiplier(fields['Multiple']) ?? ZERO,
    originPrice: readPrice(fields['OriginPrice']) ?? ZERO,
    price: readPrice(fields['Price']) ?? ZERO,
    updatePrice: readPrice(fields['UpdatePrice']) ?? ZERO,
    profit: profit ?? ZERO,
    fee: readUsd(fields['TradeFee']) ?? ZERO,
    stopLoss: readPrice(fields['TargetLossPrice']) ?? ZERO,
    takeProfit: readPrice(fields['TargetProfitPrice']) ?? ZERO,
    trailing: readPrice(fields['Trailing']) ?? ZERO,
  };
}

const MOST_DECIMALS = 18;

function readPrecision(value: unknown): number | undefined {
  const precision = readInteger(value);
  return precision === undefined ? undefined : Math.min(Math.max(precision, 0), MOST_DECIMALS);
}

/** A page of my_deal. */
export interface OrderPage extends ListPage<ReadOrder> {
  /** Over all pages of the status, USD. */
  profit: Usd;
  /** Paid for the orders of all pages, USD; undefined where the server does not say. */
  fees: Usd | undefined;
}

export function readOrderPage(value: unknown): OrderPage | undefined {
  const page = readPage(value, readOrder);
  const fields = readFields(value);
  const profit = readUsd(fields?.['all_fact_profits']) ?? ZERO;
  return page && { ...page, profit, fees: readUsd(fields?.['all_trade_fee']) };
}

/** The figures of an account that only the server knows, USD (forexDetail). */
export interface Balances {
  balance: Usd;
  lockBalance: Usd;
  /** Margins of pending and holding orders. */
  marginInUse: Usd;
}

export function readBalances(value: unknown): Balances | undefined {
  const fields = readFields(value);
  const balance = readUsd(fields?.['balance']);
  const lockBalance = readUsd(fields?.['lock_balance']);
  const marginInUse = readUsd(fields?.['caution_money']);
  if (!balance || !lockBalance || !marginInUse) return undefined;
  return {
    balance,
    lockBalance,
    marginInUse,
  };
}

/** The answer of resetForexDemoAccount: the balance as exact text, USD. */
export function readReset(value: unknown): string | undefined {
  const balance = readFields(value)?.['balance'];
  return readUsd(balance) ? readText(balance) : undefined;
}
