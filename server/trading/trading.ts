import type { FastifyInstance } from 'fastify';
import type { ServerMessage } from '#domain/api/socket';
import type { FeeType } from '#domain/trading/margin';
import { DEMO_BALANCE } from '../account/demo';
import type { Db } from '../db/open';
import type { Transactions } from '../db/transactions';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import type { Log, Market } from '../market/market';
import { balanceRoutes, type ResetHook } from './balanceRoutes';
import { MatchingEngine } from './matchingEngine';
import type { OrderState } from './order';
import { Portfolio } from './portfolio';
import { tradingRoutes } from './routes';
import { orderRow } from './rows';

export interface TradingOptions {
  db: Db;
  market: Market;
  transactions: Transactions;
  requests: IdempotentRequests;
  ledger: Ledger;
  feeType: FeeType;
  log: Log;
  /** Tells the user's own sockets of an order, in the order of the calls. */
  publish(
    userId: number,
    message: Extract<ServerMessage, { type: 'FOREX_TRADE' | 'FOREX_CLOSED' }>,
  ): void;
}

export interface Trading {
  /** For those who trade, or need the free balance, within a change of their own. */
  readonly engine: MatchingEngine;
  /** Registers the calls. */
  routes(app: FastifyInstance): void;
  /** What a reset of a demo account does elsewhere; it must not move the balance. */
  onReset(reset: ResetHook): void;
  /** Takes up matching where it was left. Once the market knows its prices; ticks that come earlier are matched too. */
  start(): Promise<void>;
}

/** Orders, matching and money on the one market of the process. */
export function createTrading(options: TradingOptions): Trading {
  const { db, market, requests, ledger, publish } = options;
  const onChange = (order: OrderState) => {
    const row = orderRow(order, engine.openOrders.price(order.instrumentId));
    if (order.status === 'closed') {
      publish(order.userId, { type: 'FOREX_CLOSED', data: { Id: order.id, Order: row } });
    } else publish(order.userId, { type: 'FOREX_TRADE', data: row });
  };
  const engine: MatchingEngine = new MatchingEngine({
    ...options,
    demoBalance: DEMO_BALANCE,
    onChange,
  });
  const portfolio = new Portfolio({ db, ledger, engine, market });
  const resets = new Set<ResetHook>();
  market.listen(engine);
  return {
    engine,
    routes(app) {
      tradingRoutes(app, { requests, engine, portfolio });
      balanceRoutes(app, { db, requests, engine, portfolio, resets });
    },
    onReset: (reset) => resets.add(reset),
    start: () => market.exclusively(() => engine.load(db)),
  };
}
