import type { Config } from '../config/config';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Metrics } from './metrics';
import type { MetricsServer } from './metricsServer';

/** The figures, and who serves them. */
export interface OpenMetrics {
  metrics: Metrics;
  server: MetricsServer;
}

/** Undefined without --metrics-port: then none of their code is loaded, and nothing is measured. */
export async function openMetrics(
  { metricsPort }: Config,
  clock: Clock,
  log: Log,
): Promise<OpenMetrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const [{ Metrics }, { MetricsServer }] = await Promise.all([
    import('./metrics'),
    import('./metricsServer'),
  ]);
  const metrics = new Metrics(clock);
  return { metrics, server: new MetricsServer(metrics, log) };
}
