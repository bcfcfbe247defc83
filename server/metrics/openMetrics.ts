import type { Config } from '../config/config';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { addressOf } from '../http/pageAddresses';
import type { Metrics } from './metrics';

/** The figures, and how they are served. */
export interface OpenMetrics {
  metrics: Metrics;
  /** Throws where the port is taken. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** Undefined without --metrics-port: then none of their code is loaded, and nothing is measured. */
export async function openMetrics(
  { metricsPort, metricsHost }: Config,
  clock: Clock,
  log: Log,
): Promise<OpenMetrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const [{ Metrics }, { MetricsServer }] = await Promise.all([
    import('./metrics'),
    import('./metricsServer'),
  ]);
  const metrics = new Metrics(clock);
  const server = new MetricsServer(metrics, log);
  return {
    metrics,
    async listen() {
      const port = await server.listen(metricsPort, metricsHost);
      log.info(`Metrics: ${addressOf(metricsHost, port)}/metrics`);
    },
    close: () => server.close(),
  };
}
