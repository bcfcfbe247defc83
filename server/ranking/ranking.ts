import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { TraderRow } from '#domain/api/ranking';
import * as api from '#domain/api/ranking';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import { pageOf } from '../api/fields';
import * as schemas from '../api/ranking';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import { slicePage } from '../db/page';
import type { Transactions } from '../db/transactions';
import { page } from '../http/params';
import { route } from '../http/route';
import type { Ledger } from '../ledger/ledger';
import type { Market } from '../market/market';
import type { MatchingEngine } from '../trading/matchingEngine';
import { openStrategyAccounts } from './strategyAccounts';
import { StrategyRunner } from './strategyRunner';
import { TRADER_PROFILES, type TraderProfile } from './traderProfiles';
import { rankedTraders } from './traderRows';

export interface RankingOptions {
  db: Db;
  market: Market;
  transactions: Transactions;
  ledger: Ledger;
  engine: MatchingEngine;
  log: Log;
  /** The wall clock. */
  now(): UnixMs;
  /** Whether strategy accounts trade: on a simulated market, not in a replay (D58). */
  trades: boolean;
  profiles?: readonly TraderProfile[];
}

export interface Ranking {
  routes(app: FastifyInstance): void;
  /** Opens the strategy accounts and starts their trading. Needs prices of the market. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when the strategies have processed all closed bars. */
  settled(): Promise<void>;
}

/** Compute the ranking at most this often. */
const REFRESH_EVERY_MS = toDurationMs(5_000);

/** The ranking, and the broker's strategy accounts that appear in it. */
export function createRanking({ profiles = TRADER_PROFILES, ...options }: RankingOptions): Ranking {
  const { db, market, now, trades } = options;
  let runner: StrategyRunner | undefined;
  let summed = { at: Number.NEGATIVE_INFINITY, traders: Promise.resolve<TraderRow[]>([]) };
  const listed = (): Promise<TraderRow[]> => {
    if (Math.abs(now() - summed.at) >= REFRESH_EVERY_MS) {
      summed = { at: now(), traders: rankedTraders(db, market.feed, market.now(), profiles) };
      summed.traders.catch(() => {
        summed.at = Number.NEGATIVE_INFINITY;
      });
    }
    return summed.traders;
  };
  return {
    routes(app) {
      route(app, api.traderList, {
        params: z.object({ page }),
        data: pageOf(schemas.trader),
        async handler({ params }) {
          const traders = await listed();
          return { data: slicePage(traders, params.page), total: traders.length };
        },
      });
    },
    async start() {
      if (trades)
        runner = new StrategyRunner(options, await openStrategyAccounts(options, profiles));
    },
    stop: async () => runner?.close(),
    settled: async () => runner?.settled(),
  };
}
