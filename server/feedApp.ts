import { sql } from 'drizzle-orm';
import { toDurationMs } from '#domain/core/time';
import type { Bus } from './cluster/bus';
import { Epochs } from './cluster/epochs';
import { MarketServer } from './cluster/marketServer';
import type { Config } from './config/config';
import type { Clock } from './core/clock';
import type { Log } from './core/log';
import { SteadyClock } from './core/steadyClock';
import type { Tracing } from './core/trace';
import type { Database } from './db/database';
import { epochsOf } from './db/epochsOf';
import { createHttp } from './http/httpServer';
import { Proxies } from './http/proxies';
import { type App, createLifecycle } from './lifecycle';
import { HaltableMarket } from './market/halts/haltableMarket';
import type { Market } from './market/market';
import { openMetrics } from './metrics/openMetrics';

export interface FeedOptions {
  config: Config;
  database: Database;
  market: Market;
  bus: Bus;
  tracing: Tracing | undefined;
  clock: Clock;
  log: Log;
}

/** Requests that run when the feed stops are cut off after this long. */
const STOP_TIMEOUT_MS = toDurationMs(2_000);

/**
 * The composition root of a feed: the one market of a cluster, for engines and gateways (architecture.md#feed). Its database has
 * seed, bars and halts, and the lease that a standby waits for.
 */
export async function createFeed(options: FeedOptions): Promise<App> {
  const { config, database, bus, tracing, log } = options;
  const { db } = database;
  const clock = new SteadyClock(options.clock);
  const measured = await openMetrics(config, clock, log);
  const market = new HaltableMarket(options.market, db);
  const epochs = await Epochs.open({ next: epochsOf(database), bus, clock, log });
  database.onReclaimed(() => void epochs.begin());
  const served = new MarketServer({ bus, market, clock, epochs });
  measured?.metrics.watch({
    market,
    sockets: () => ({ open: 0, loggedIn: 0, slow: 0, unsentBytes: 0 }),
    queues: {},
    pool: database.pool,
  });
  const proxies = new Proxies(config.trustProxy, log);
  const nobody = async () => undefined;
  const http = await createHttp({ ...config, proxies, clientDirectory: '', clock, log }, nobody);
  return createLifecycle({
    ...{ config, clock, http, bus, measured, tracing, database },
    stopTimeout: STOP_TIMEOUT_MS,
    notes: ['This is a feed: it has the market only.'],
    askDatabase: () => db.execute(sql`select 1`),
    async start() {
      await market.start();
      database.renewLease?.(() => market.now());
      served.start();
    },
    stop: [() => served.stop(), () => epochs.stop(), () => market.stop()],
  });
}
