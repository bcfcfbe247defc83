import type { FastifyInstance } from 'fastify';
import type { UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { inOrder } from '../core/inOrder';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import type { Transactions } from '../db/transactions';
import type { Market } from '../market/market';
import { Deliveries } from './deliveries';
import { MarginWatch, type MarginWatchOptions } from './marginWatch';
import { MessageWriter } from './messageWriter';
import { Outbox } from './outbox';
import { PushService } from './pushService';
import { PushSubscriptions } from './pushSubscriptions';
import { pushRoutes } from './routes';
import { loadVapidKeys } from './vapidKeys';

export interface PushOptions {
  db: Db;
  market: Market;
  clock: Clock;
  log: Log;
  transactions: Transactions;
  now(): UnixMs;
  /** Encrypts what is kept of the keys. */
  key: Buffer;
  /** A mail address for the operators of push services. */
  contact: string;
  /** Plain http and private addresses too: for tests. */
  anywhere: boolean;
}

/** Web push: notices reach browsers in which the app is closed (protocol.md#web-push). */
export interface Push {
  readonly outbox: Outbox;
  /** The database has ended these sessions. */
  sessionsEnded(sessionIds: ReadonlySet<number>): void;
  /** Everything is read from the database again. */
  forget(): void;
  routes(app: FastifyInstance): void;
  /** Sends what an earlier process has left. */
  start(engine: MarginWatchOptions['engine']): Promise<void>;
  stop(): Promise<void>;
}

export async function createPush(options: PushOptions): Promise<Push> {
  const { db, market, clock, log, now, key, transactions } = options;
  const keys = await loadVapidKeys(db, key, log);
  const service = new PushService(keys, options.contact, options.anywhere);
  const subscriptions = new PushSubscriptions(db, now);
  const messages = new MessageWriter(db, market, key);
  const deliveries = new Deliveries({ db, clock, now, log, service, subscriptions, messages });
  const outbox = new Outbox({ now, onWritten: () => deliveries.wake() });
  let margin: MarginWatch | undefined;
  return {
    outbox,
    sessionsEnded: (sessionIds) => subscriptions.sessionsEnded(sessionIds),
    forget() {
      subscriptions.forget();
      margin?.forget();
    },
    routes: (app) => pushRoutes(app, { transactions, subscriptions, service }),
    async start(engine) {
      margin = new MarginWatch({ db, clock, log, transactions, outbox, subscriptions, engine });
      margin.start();
      deliveries.wake();
    },
    async stop() {
      await inOrder([() => margin?.stop(), () => deliveries.stop()]);
    },
  };
}
