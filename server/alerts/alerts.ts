import type { FastifyInstance } from 'fastify';
import type { ServerMessage } from '#domain/api/socket';
import type { UnixMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { inOrder } from '../core/inOrder';
import type { Log } from '../core/log';
import type { Db } from '../db/database';
import type { Transactions } from '../db/transactions';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Market } from '../market/market';
import type { Outbox } from '../push/outbox';
import type { TickWatch } from '../trading/tickWatch';
import { AlertWatch } from './alertWatch';
import { BarWatch } from './barWatch';
import { MarginAlerts, type MarginAlertsOptions } from './marginAlerts';
import { alertRoutes } from './routes';
import { alertRow } from './rows';
import { UserAlerts } from './userAlerts';

export interface AlertOptions {
  db: Db;
  market: Market;
  requests: IdempotentRequests;
  transactions: Transactions;
  clock: Clock;
  log: Log;
  outbox: Outbox;
  now(): UnixMs;
  /** Sends a message to the user's sockets, in order. */
  publish(userId: number, message: Extract<ServerMessage, { type: 'FOREX_ALERT' }>): void;
}

/** Alerts on prices and other conditions (protocol.md#alerts, protocol.md#conditions). */
export function createAlerts(options: AlertOptions): {
  /** Judges the alerts at each tick. */
  watch: TickWatch;
  routes(app: FastifyInstance): void;
  /** Judges what no tick does. */
  start(engine: MarginAlertsOptions['engine']): Promise<void>;
  stop(): Promise<void>;
} {
  const { market, now, publish, requests, db, outbox } = options;
  const watch = new AlertWatch({
    market,
    outbox,
    now,
    onTrigger: (alert) => publish(alert.userId, { type: 'FOREX_ALERT', data: alertRow(alert) }),
  });
  const service = new UserAlerts(db, market, watch, now);
  const bars = new BarWatch({ ...options, watch });
  let margin: MarginAlerts | undefined;
  return {
    watch,
    routes: (app) => alertRoutes(app, requests, service),
    async start(engine) {
      service.engine = engine;
      margin = new MarginAlerts({ ...options, watch, engine });
      margin.start();
      bars.start();
    },
    async stop() {
      await inOrder([() => margin?.stop(), () => bars.stop()]);
    },
  };
}
