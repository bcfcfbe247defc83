import type { Clock } from '../core/clock';
import { inOrder } from '../core/inOrder';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import type { HaltableMarket } from '../market/halts/haltableMarket';
import type { AdminActions } from './actions';
import { type Run, startAdminServer } from './adminServer';
import { AutoReview } from './autoReview';
import { type AdminCommand, runCommand } from './commands';
import type { ReviewQueue } from './reviewQueue';
import { Reviews } from './reviews';

export interface AdminOptions {
  db: Db;
  market: HaltableMarket;
  clock: Clock;
  log: Log;
  actions: AdminActions;
  /** The data directory, where `npm run admin` finds the server. */
  directory: string;
  /** Where browsers reach the server; empty where only this machine does. A visitor can write any host into a request. */
  publicUrl: string;
  /** Whether the sandbox approves everything by itself. */
  autoReview: boolean;
  /** What waits for a decision. */
  queues: readonly ReviewQueue[];
  /** As `NewsPictures.storeAll`. */
  storePictures(html: string): Promise<string>;
  /** The number of this engine. */
  shard: number;
  /** Commands of other subjects. */
  commands: readonly AdminCommand[];
}

export interface Admin {
  /** Accepts commands and starts the automatic reviews. `port` is where the server listens. */
  start(port: number): Promise<void>;
  stop(): Promise<void>;
}

/** The operator's back office: reviews, commands of `npm run admin`, automatic reviews. */
export function createAdmin(options: AdminOptions): Admin {
  const { db, market, clock, log, actions, directory, queues, commands } = options;
  const reviews = new Reviews(actions, queues);
  const autoReview = options.autoReview ? new AutoReview(reviews, clock, log) : undefined;
  let close = async () => {};
  return {
    async start(port) {
      const parts = {
        db,
        reviews,
        market,
        actions,
        now: () => clock.now(),
        origin: () => options.publicUrl || `http://localhost:${port}`,
        storePictures: options.storePictures,
        shard: options.shard,
        commands,
      };
      const run: Run = (...given) => runCommand(parts, ...given);
      close = await startAdminServer(directory, run, log);
      autoReview?.start();
    },
    async stop() {
      await inOrder([close, () => autoReview?.stop()]);
    },
  };
}
