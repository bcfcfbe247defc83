import type { FastifyInstance } from 'fastify';
import type { Usd } from '#domain/core/units';
import type { ReviewQueue } from '../admin/reviewQueue';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import type { Transactions, UnitOfWork } from '../db/transactions';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import { type OfferedFund, SANDBOX_FUNDS } from './catalogue';
import { DailyProfits } from './dailyProfits';
import { redemptionQueue } from './redemptions';
import { miningRoutes } from './routes';
import { Subscriptions } from './subscriptions';

export interface MiningOptions {
  db: Db;
  transactions: Transactions;
  requests: IdempotentRequests;
  ledger: Ledger;
  /** The wall clock. */
  clock: Clock;
  log: Log;
  available(work: UnitOfWork, userId: number): Promise<Usd>;
  funds?: readonly OfferedFund[];
}

export interface Mining {
  routes(app: FastifyInstance): void;
  readonly subscriptions: Subscriptions;
  /** What the operator reviews. */
  readonly redemptions: ReviewQueue;
  /** Pays what is due and continues to pay on time. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Fixed-term funds: daily profits, early redemption. */
export function createMining({ funds = SANDBOX_FUNDS, ...options }: MiningOptions): Mining {
  const dailyProfits = new DailyProfits(options);
  const now = () => options.clock.now();
  const subscriptions = new Subscriptions({ ...options, dailyProfits, funds, now });
  const redemptions = redemptionQueue({ ...options, dailyProfits, now });
  return {
    subscriptions,
    redemptions,
    routes: (app) => miningRoutes(app, { ...options, subscriptions, funds }),
    start: () => dailyProfits.start(),
    stop: () => dailyProfits.stop(),
  };
}
