import type { FastifyInstance } from 'fastify';
import type { ServerMessage } from '#domain/api/socket';
import type { FeeType } from '#domain/trading/margin';
import { DEMO_BALANCE } from '../account/demo';
import type { Db } from '../db/open';
import type { Changes } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import type { Log, Market } from '../market/market';
import { fundRoutes, type Reset } from './balanceRoutes';
import { Engine } from './matchingEngine';
import type { OrderState } from './order';
import { Portfolio } from './portfolio';
import { tradingRoutes } from './routes';
import { orderRow } from './rows';

export interface TradingOptions {
  db: Db;
  market: Market;
  changes: Changes;
  ledger: Ledger;
  feeType: FeeType;
  log: Log;
  /** Tells the user's own sockets of an order, in the order of the calls. */
  tell(
    userId: number,
    message: Extract<ServerMessage, { type: 'FOREX_TRADE' | 'FOREX_CLOSED' }>,
  ): void;
}

export interface Trading {
  /** For those who trade, or need the free balance, within a change of their own. */
  readonly engine: Engine;
  /** Registers the calls. */
  routes(app: FastifyInstance): void;
  /** What a reset of a demo account does elsewhere; it must not move the balance. */
  onReset(reset: Reset): void;
  /** Takes up matching where it was left. Once the market knows its prices; ticks that come earlier are matched too. */
  start(): Promise<void>;
}

/** Orders, matching and money on the one market of the process. */
export function createTrading(options: TradingOptions): Trading {
  const { db, market, changes, ledger, tell } = options;
  const changed = (order: OrderState) => {
    const row = orderRow(order, engine.book.price(order.instrumentId));
    if (order.status === 'closed') {
      tell(order.userId, { type: 'FOREX_CLOSED', data: { Id: order.id, Order: row } });
    } else tell(order.userId, { type: 'FOREX_TRADE', data: row });
  };
  const engine: Engine = new Engine({ ...options, demoBalance: DEMO_BALANCE, changed });
  const portfolio = new Portfolio({ db, ledger, engine, market });
  const resets = new Set<Reset>();
  market.listen(engine);
  return {
    engine,
    routes(app) {
      tradingRoutes(app, { changes, engine, portfolio });
      fundRoutes(app, { db, changes, engine, portfolio, resets });
    },
    onReset: (reset) => resets.add(reset),
    start: () => market.between(() => engine.load(db)),
  };
}
