import type { FastifyInstance } from 'fastify';
import type { ServerMessage } from '#domain/api/socket';
import { toDurationMs } from '#domain/core/time';
import type { QuoteFill } from '#domain/trading/fill';
import type { FeeType } from '#domain/trading/margin';
import type { OrderState } from '#domain/trading/orderState';
import { DEMO_BALANCE } from '../account/demo';
import type { AdminActions } from '../admin/actions';
import type { AdminCommand } from '../admin/commands';
import type { CommandLog } from '../commands/commandLog';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { RepeatedTask } from '../core/repeatedTask';
import type { Db } from '../db/database';
import type { Transactions } from '../db/transactions';
import { BatchedRequests } from '../idempotency/batchedRequests';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import type { Market } from '../market/market';
import { balanceRoutes, type ResetHook } from './balanceRoutes';
import { bustCommand } from './bustCommand';
import { Delisting } from './delisting';
import type { ExposureLimits } from './exposureLimits';
import { type ExposureGauges, Exposures } from './exposures';
import { MatchingEngine, type MatchingEngineOptions } from './matchingEngine';
import { Portfolio } from './portfolio';
import { tradingRoutes } from './routes';
import { orderRow } from './rows';
import type { TickWatch } from './tickWatch';

export interface TradingOptions {
  db: Db;
  market: Market;
  transactions: Transactions;
  actions: AdminActions;
  requests: IdempotentRequests;
  ledger: Ledger;
  feeType: FeeType;
  quoteFill: QuoteFill;
  swap: boolean;
  limits: ExposureLimits;
  /** Where what changes orders is recorded. */
  commands: CommandLog;
  clock: Clock;
  log: Log;
  /** Judged with the orders at each tick. */
  watch: TickWatch;
  onEnded: MatchingEngineOptions['onEnded'];
  onCorrected: MatchingEngineOptions['onCorrected'];
  onEarned: MatchingEngineOptions['onEarned'];
  /** Sends a message about an order to the user's sockets, in order. */
  publish(
    userId: number,
    message: Extract<ServerMessage, { type: 'FOREX_TRADE' | 'FOREX_CLOSED' }>,
  ): void;
}

export interface Trading {
  /** For subjects that place orders or need the available balance inside their own unit of work. */
  readonly engine: MatchingEngine;
  /** Commands of the operator. */
  readonly commands: readonly AdminCommand[];
  /** What customers hold of each instrument now. */
  exposure(): ExposureGauges;
  /** How many calls that change orders wait for their turn. */
  waitingCalls(): number;
  routes(app: FastifyInstance): void;
  /** Adds to what a reset of a demo account does. The hook must not change the balance. */
  onReset(reset: ResetHook): void;
  /** Loads the open orders and what is watched with them. Needs prices of the market; earlier ticks are matched too. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How often nights are charged and expired orders ended in a market without ticks. */
const SETTLED_EVERY_MS = toDurationMs(1000);

/** Orders, matching and balances. */
export function createTrading(options: TradingOptions): Trading {
  const { db, market, actions, requests, ledger, log, publish } = options;
  const onChange = (order: OrderState) => {
    const row = orderRow(order, engine.openOrders.priceOf(order));
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
  const settling = new RepeatedTask({
    name: 'nights and expired orders',
    every: SETTLED_EVERY_MS,
    clock: options.clock,
    log,
    run: () => engine.settleNow(),
  });
  const exposures = new Exposures({ db, market, engine, limits: options.limits });
  const delisting = new Delisting({ db, market, actions, engine, log });
  const resets = new Set<ResetHook>();
  market.listen(engine);
  const calls = new BatchedRequests(requests, (work, userIds) => engine.prepare(work, userIds));
  return {
    engine,
    commands: [
      delisting.command,
      exposures.command,
      bustCommand({ db, market, transactions: options.transactions, actions, engine }),
    ],
    exposure: () => exposures.gauges(),
    waitingCalls: () => calls.length,
    routes(app) {
      tradingRoutes(app, { calls, engine, portfolio });
      balanceRoutes(app, { db, requests, engine, portfolio, resets });
    },
    onReset: (reset) => resets.add(reset),
    async start() {
      await market.exclusively(() => engine.catchUp());
      await delisting.warn();
      const unknown = exposures.unknownLimits;
      if (unknown.length > 0)
        log.warn(`--exposure-limit: no instrument is called ${unknown.join(', ')}`);
      settling.start();
    },
    stop: () => settling.stop(),
  };
}
