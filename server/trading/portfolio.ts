import { type AccountSummaryRow, type OrderPageRow, STATUS_NUMBERS } from '#domain/api/trading';
import type { BalanceRow } from '#domain/api/wallet';
import { add, toFixed, ZERO } from '#domain/core/decimal';
import { CENTS, type Usd } from '#domain/core/units';
import type { OrderState } from '#domain/trading/orderState';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { emptyAccount } from '#domain/trading/tradingAccount';
import type { Db } from '../db/database';
import type { Ledger } from '../ledger/ledger';
import type { Market } from '../market/market';
import type { MatchingEngine } from './matchingEngine';
import { history } from './orderStore';
import { accountRow, orderRow, usdText } from './rows';

export interface PortfolioParts {
  db: Db;
  ledger: Ledger;
  engine: MatchingEngine;
  market: Market;
}

/**
 * A user's orders and figures at the latest prices. It reads the open orders between two batches of
 * ticks, when everything is committed.
 */
export class Portfolio {
  private readonly parts: PortfolioParts;

  constructor(parts: PortfolioParts) {
    this.parts = parts;
  }

  /** A page of the orders of one status (domain.md#order-states), newest first. */
  async page(userId: number, status: number, page: number, limit: number): Promise<OrderPageRow> {
    const { db, ledger, engine, market } = this.parts;
    const offset = (page - 1) * limit;
    const found =
      status === STATUS_NUMBERS.closed
        ? await history(db, userId, offset, limit)
        : await market.exclusively(() => this.open(userId, status, offset, limit));
    const { available } = await ledger.balances(db, userId);
    return {
      data: found.orders.map((stored) => {
        const order = engine.withCurrentInstrumentId(stored);
        return orderRow(order, engine.openOrders.priceOf(order));
      }),
      total: found.total,
      all_fact_profits: toFixed(found.profit, PROFIT_SCALE),
      all_trade_fee: toFixed(found.fees, CENTS),
      all_swap: toFixed(found.swap, CENTS),
      balance: usdText(available),
    };
  }

  async balance(userId: number): Promise<BalanceRow> {
    const { available, frozen } = await this.parts.ledger.balances(this.parts.db, userId);
    return { balance: usdText(available), lock_balance: usdText(frozen) };
  }

  summary(userId: number): Promise<AccountSummaryRow> {
    const { db, ledger, engine, market } = this.parts;
    return market.exclusively(async () => {
      const { available, frozen } = await ledger.balances(db, userId);
      await engine.load(db);
      return accountRow(
        engine.openOrders.account(userId) ?? emptyAccount(userId, available),
        frozen,
      );
    });
  }

  private async open(userId: number, status: number, offset: number, limit: number) {
    const { db, engine } = this.parts;
    await engine.load(db);
    const account = engine.openOrders.account(userId);
    const isOpen = status === STATUS_NUMBERS.holding;
    const orders: OrderState[] = isOpen
      ? [...(account?.positions.values() ?? [])].map(({ order }) => order)
      : [...(account?.pending.values() ?? [])];
    return {
      orders: orders
        .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
        .slice(offset, offset + limit),
      total: orders.length,
      profit: (isOpen && account?.profit) || ZERO,
      // A pending order pays its fee at the fill.
      fees: isOpen ? orders.reduce<Usd>((sum, { fee }) => add(sum, fee), ZERO) : ZERO,
      swap: orders.reduce<Usd>((sum, { swap }) => add(sum, swap), ZERO),
    };
  }
}
