import type { FastifyInstance } from 'fastify';
import type { DurationMs } from '#domain/core/time';
import type { Bus } from './cluster/bus';
import type { Config } from './config/config';
import type { Clock } from './core/clock';
import { inOrder } from './core/inOrder';
import type { Tracing } from './core/trace';
import type { Database } from './db/database';
import { healthRoutes } from './health/routes';
import type { OpenMetrics } from './metrics/openMetrics';

export interface App {
  /** What the operator of a sandbox should know at start. */
  notes: readonly string[];
  /** Starts market and matching, then listens. Returns the port; throws where it is taken. */
  listen(): Promise<number>;
  /** Stops serving, then stops the market and closes the database. */
  close(): Promise<void>;
}

export interface LifecycleOptions {
  config: Pick<Config, 'host' | 'port'>;
  clock: Clock;
  http: FastifyInstance;
  /** What the process has of these is closed last. */
  bus: Pick<Bus, 'close'> | undefined;
  measured: Pick<OpenMetrics, 'listen' | 'close'> | undefined;
  tracing: Pick<Tracing, 'close'> | undefined;
  database: Pick<Database, 'close'> | undefined;
  /** When the process stops, calls that are not finished after this long are cut off. */
  stopTimeout: DurationMs;
  notes: readonly string[];
  /** As in HealthOptions. */
  askDatabase(): Promise<unknown>;
  /** Whether a process that has started can serve now; always where absent. */
  canServe?(): boolean;
  /** Before the port is open. */
  start(): Promise<void>;
  /** Once calls reach the port. */
  opened?(port: number): Promise<void>;
  /** Once no call runs any more, in this order. */
  stop: readonly (() => unknown)[];
  /** Once the database is free for another process. */
  released?(): unknown;
}

/**
 * Start and stop of a process, whatever its role: health, listening, metrics. `close` takes each step, also after one that
 * fails, and after a start that failed.
 */
export function createLifecycle(options: LifecycleOptions): App {
  const { config, clock, http, bus, measured, tracing, database, askDatabase } = options;
  const { canServe = () => true } = options;
  let started = false;
  healthRoutes(http, { isStarted: () => started && canServe(), askDatabase, clock });
  return {
    notes: options.notes,
    async listen() {
      await options.start();
      const port = await listenOn(http, config);
      await options.opened?.(port);
      await measured?.listen();
      started = true;
      return port;
    },
    async close() {
      started = false;
      const cancel = clock.after(options.stopTimeout, () => http.server.closeAllConnections());
      await inOrder([
        () => http.close(),
        cancel,
        ...options.stop,
        () => bus?.close(),
        () => measured?.close(),
        () => tracing?.close(),
        () => database?.close(),
        () => options.released?.(),
      ]);
    },
  };
}

/** Returns the port. `::` is all addresses, IPv6 and IPv4; of a machine without IPv6, those of IPv4. */
async function listenOn(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (host !== '::' || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error;
    await http.listen({ host: '0.0.0.0', port });
  }
  const address = http.server.address();
  return typeof address === 'object' && address ? address.port : port;
}
