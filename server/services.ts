import type { FastifyInstance } from 'fastify';
import { companyRoutes } from './companies/routes';
import type { Config } from './config/config';
import type { Clock } from './core/clock';
import type { Db } from './db/open';
import type { UnitOfWork } from './db/unitOfWork';
import type { DeskCommand } from './desk/commands';
import type { ReviewQueue } from './desk/reviewQueue';
import type { Changes } from './idempotency/idempotentRequests';
import type { Ledger } from './ledger/ledger';
import type { Log, Market } from './market/market';
import { createMining } from './mining/mining';
import { createNews } from './news/news';
import { createRanking } from './ranking/ranking';
import type { Trading } from './trading/trading';
import type { Pictures } from './uploads/pictures';
import { walletCommands } from './wallet/commands';
import { createWallet } from './wallet/wallet';

export interface ServiceOptions {
  config: Config;
  db: Db;
  market: Market;
  clock: Clock;
  log: Log;
  changes: Changes;
  ledger: Ledger;
  trading: Trading;
  pictures: Pictures;
}

export interface Services {
  /** What the desk decides on. */
  readonly reviewed: readonly ReviewQueue[];
  /** What it can do besides. */
  readonly commands: readonly DeskCommand[];
  routes(app: FastifyInstance): void;
  /** Publishes news, pays daily profits, lets the house trade. Once the market knows its prices. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What users find besides trading: wallet, mining funds, news, ranking, companies. */
export function createServices({ config, trading, ...options }: ServiceOptions): Services {
  const { engine } = trading;
  const now = () => options.clock.now();
  const freeBalance = (work: UnitOfWork, userId: number) => engine.freeBalance(work, userId);
  const wallet = createWallet({ ...options, freeBalance, now });
  const mining = createMining({ ...options, freeBalance });
  const news = createNews({ ...options, now });
  const trades = config.replay === '' && !config.noTraders;
  const ranking = createRanking({ ...options, engine, now, trades });
  trading.onReset((work, userId) => mining.subscriptions.forfeit(work, userId));
  return {
    reviewed: [wallet.deposits, wallet.withdrawals, mining.redemptions],
    commands: walletCommands({ ...options, wallet }),
    routes(app) {
      for (const part of [wallet, mining, news, ranking]) part.routes(app);
      companyRoutes(app);
    },
    async start() {
      for (const part of [news, mining, ranking]) await part.start();
    },
    async stop() {
      for (const part of [ranking, mining]) await part.stop();
    },
  };
}
