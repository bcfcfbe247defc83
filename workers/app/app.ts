import type { AlertsGateway } from '#domain/gateway/alerts';
import { createAlerts } from '../alerts/alerts';
import type { AlertsOptions } from '../alerts/contract';
import type { Part } from '../core/lifecycle';
import { createFeatures } from './features';
import { createStatusWatch } from './status';
import { createVersionWatch } from './version';

/** What the first prices do not need. */
export interface App {
  readonly calls: AlertsGateway;
  readonly parts: readonly Part[];
}

/** What the worker finds out about the app itself (whether it is in service, its version, the server's features), and alerts. */
export function createApp(options: AlertsOptions): App {
  const { clock, http, features, instruments } = options;
  const { emit } = options.frames;
  const alerts = createAlerts(options);
  return {
    calls: alerts.calls,
    parts: [
      createStatusWatch(clock, http, emit),
      createVersionWatch(clock, http, emit),
      createFeatures(clock, http, (found) => {
        features.current = found;
        instruments.subscription.setCompact(found.includes('compact'));
        alerts.featuresKnown();
      }),
      alerts.part,
    ],
  };
}
