import { type AccountSummaryRow, type OrderRow, STATUS_NUMBERS } from '#domain/api/trading';
import { type Decimal, isZero, toFixed, toText } from '#domain/core/decimal';
import { CENTS, type Price, type Usd } from '#domain/core/units';
import { available, equity, marginLevel, riskRate } from '#domain/trading/accountSummary';
import { type OrderState, profitAt } from '#domain/trading/orderState';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { TradingAccount } from '#domain/trading/tradingAccount';
import { LEDGER_SCALE } from '../ledger/ledger';

/** USD with all decimals of the ledger. */
export function usdText(amount: Usd): string {
  return toFixed(amount, LEDGER_SCALE);
}

function priceText(price: Price, precision: number): string {
  return isZero(price) ? '0' : toFixed(price, precision);
}

const decimalsOf = (price: Price) => toText(price).split('.')[1]?.length ?? 0;

/** An order as it is sent; `latest` is the present price, which a closed order does not show. */
export function orderRow(order: OrderState, latest: Price | undefined): OrderRow {
  const { status, originPrice, price, stopLoss, takeProfit, trailing } = order;
  const now = status === 'closed' ? order.closePrice : latest;
  const prices = [originPrice, price, stopLoss, takeProfit, trailing, ...(now ? [now] : [])];
  // The instrument may have become finer since.
  const precision = Math.max(order.precision, ...prices.map(decimalsOf));
  const profit = status === 'holding' ? profitAt(order, latest) : order.profit;
  return {
    Id: order.id,
    ForexTradeLists: {
      Id: order.instrumentId,
      Code: order.code,
      ShowCode: order.name,
      PricePrecision: precision,
    },
    OrderType: order.side === 'buy' ? 1 : 2,
    Quantity: toText(order.lots),
    Multiple: toText(order.leverage),
    OriginPrice: priceText(originPrice, precision),
    Price: priceText(price, precision),
    UpdatePrice: now === undefined ? '0' : priceText(now, precision),
    FactProfits: toFixed(profit, PROFIT_SCALE),
    CautionMoney: toFixed(order.margin, CENTS),
    TradeFee: toFixed(order.fee, CENTS),
    Swap: toFixed(order.swap, CENTS),
    TargetLossPrice: priceText(stopLoss, precision),
    TargetProfitPrice: priceText(takeProfit, precision),
    Trailing: priceText(trailing, precision),
    Until: order.until ?? 0,
    Status: STATUS_NUMBERS[status],
    CreateTimeHandler: new Date(order.createdAt).toISOString(),
    CompleteTimeHandler:
      order.completedAt === null ? '' : new Date(order.completedAt).toISOString(),
    CloseReason: order.closeReason,
  };
}

/**
 * The summary of forexDetail (protocol.md#account-summary); `frozen` is everything frozen, margins
 * included.
 */
export function accountRow(account: TradingAccount, frozen: Usd): AccountSummaryRow {
  return {
    balance: usdText(account.balance),
    lock_balance: usdText(frozen),
    caution_money: toFixed(account.marginInUse, CENTS),
    fact_profits: toFixed(account.profit, PROFIT_SCALE),
    net_value: usdText(equity(account)),
    free_balance: usdText(available(account)),
    risk_rate: percent(riskRate(account)),
    prepayment_ratio: percent(marginLevel(account)),
  };
}

function percent(value: Decimal | undefined): string {
  return value ? toFixed(value, 2) : '--';
}
