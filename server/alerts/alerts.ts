import type { FastifyInstance } from 'fastify';
import type { ServerMessage } from '#domain/api/socket';
import type { UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import type { IdempotentRequests } from '../idempotency/idempotentRequests';
import type { Market } from '../market/market';
import type { Outbox } from '../push/outbox';
import type { TickWatch } from '../trading/tickWatch';
import { AlertWatch } from './alertWatch';
import { alertRoutes } from './routes';
import { alertRow } from './rows';
import { UserAlerts } from './userAlerts';

export interface AlertOptions {
  db: Db;
  market: Market;
  requests: IdempotentRequests;
  outbox: Outbox;
  now(): UnixMs;
  /** Sends a message to the user's sockets, in order. */
  publish(userId: number, message: Extract<ServerMessage, { type: 'FOREX_ALERT' }>): void;
}

/** Price alerts (protocol.md#alerts). */
export function createAlerts(options: AlertOptions): {
  /** Judges the alerts at each tick. */
  watch: TickWatch;
  routes(app: FastifyInstance): void;
} {
  const { market, now, publish, requests, db, outbox } = options;
  const watch = new AlertWatch({
    market,
    outbox,
    now,
    onTrigger: (alert) => publish(alert.userId, { type: 'FOREX_ALERT', data: alertRow(alert) }),
  });
  const service = new UserAlerts(db, market, watch, now);
  return { watch, routes: (app) => alertRoutes(app, requests, service) };
}
