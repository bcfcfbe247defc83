import type { FastifyInstance } from 'fastify';
import { popularList, traderList } from '#domain/api/ranking';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { FeeType } from '#domain/trading/margin';
import type { Clock } from '../core/clock';
import { errorText } from '../core/errorText';
import type { Log } from '../core/log';
import { renewed } from '../core/renewed';
import type { Db } from '../db/database';
import { slicePage } from '../db/page';
import type { Transactions } from '../db/transactions';
import { route } from '../http/route';
import type { Ledger } from '../ledger/ledger';
import type { Market } from '../market/market';
import type { MatchingEngine } from '../trading/matchingEngine';
import { type PastTrade, pastTrades } from './pastTrades';
import { popularInstruments } from './popular';
import { openStrategyAccounts, type StrategyTrader } from './strategyAccounts';
import { StrategyRunner } from './strategyRunner';
import { TRADER_PROFILES, type TraderProfile } from './traderProfiles';
import { rankedTraders } from './traderRows';

export interface RankingOptions {
  db: Db;
  market: Market;
  transactions: Transactions;
  ledger: Ledger;
  engine: MatchingEngine;
  clock: Clock;
  log: Log;
  feeType: FeeType;
  /** The wall clock. */
  now(): UnixMs;
  /** Whether strategy accounts trade: on a simulated market, not in a replay. */
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

/** By user id. */
type Pasts = Map<number, readonly PastTrade[]>;

/** The past is computed this long after the start, or when the ranking is first asked for. */
const PAST_AFTER = toDurationMs(3_000);

/** Compute the ranking at most this often. */
const REFRESH_EVERY_MS = toDurationMs(5_000);

/** The ranking, and the broker's strategy accounts that appear in it. */
export function createRanking({ profiles = TRADER_PROFILES, ...options }: RankingOptions): Ranking {
  const { db, market, clock, now, trades, feeType, log } = options;
  const popular = popularInstruments({ db, market });
  let runner: StrategyRunner | undefined;
  let cancelPast = () => {};
  let accounts: readonly StrategyTrader[] = [];
  let past: { of: readonly StrategyTrader[]; known: Pasts } | undefined;
  let computing = Promise.resolve();
  /** What is known of the past by now: no answer waits for it. */
  const pasts = (): Pasts => {
    if (past?.of !== accounts) {
      past = { of: accounts, known: new Map() };
      computing = computePasts(past).catch((error) => {
        past = undefined;
        log.error(`past of the traders: ${errorText(error)}`);
      });
    }
    return past.known;
  };
  const computePasts = async ({ of, known }: { of: readonly StrategyTrader[]; known: Pasts }) => {
    for (const trader of of) {
      if (of !== accounts) return;
      known.set(trader.userId, await pastTrades(market, trader, feeType));
    }
  };
  const listed = renewed(REFRESH_EVERY_MS, now, () =>
    rankedTraders(db, market.feed, market.now(), profiles, pasts()),
  );
  return {
    routes(app) {
      route(app, popularList, { handler: popular });
      route(app, traderList, {
        async handler({ params }) {
          const traders = await listed();
          return { data: slicePage(traders, params.page), total: traders.length };
        },
      });
    },
    async start() {
      if (!trades) return;
      accounts = await openStrategyAccounts(options, profiles);
      runner = new StrategyRunner(options, accounts);
      cancelPast = clock.after(PAST_AFTER, pasts);
    },
    async stop() {
      cancelPast();
      accounts = [];
      await computing;
      await runner?.close();
    },
    settled: async () => runner?.settled(),
  };
}
