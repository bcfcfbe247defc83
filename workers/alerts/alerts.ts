import type { AlertsWorkerApi } from '#domain/worker/alerts';
import type { PushWorkerApi } from '#domain/worker/push';
import type { LateListener } from '../core/lazyListeners';
import { createHiddenFrames } from './hiddenFrames';
import { createMarginWatch } from './marginWatch';
import { createPush } from './push';
import { PUSH_KEY } from './savedPush';
import { createAlertService } from './service';
import type { AlertsOptions } from './types';

/** Price alerts, and warnings of the margin. */
export interface Alerts {
  readonly calls: AlertsWorkerApi & PushWorkerApi;
  readonly listener: LateListener;
  /** It is known which optional parts the server has. */
  featuresKnown(): void;
  /** Fetches what no push tells; `anew`: pushes have come since the last call. */
  poll(anew: boolean): Promise<void>;
}

export function createAlerts(options: AlertsOptions): Alerts {
  const { session, storage, connection, serverFeatures } = options;
  let listed = false;
  /** Asks for the list again where one was shown. */
  const changed = () => {
    if (listed) options.frames.emit({ type: 'alerts-changed' });
  };
  const service = createAlertService({ ...options, changed });
  const hidden = createHiddenFrames(options.frames, options.instruments);
  createMarginWatch(options.clock, options.trading.followAccount, options.frames.emit);

  /** Alerts of this device are watched from the start on. */
  function watchOwn(): void {
    const known = serverFeatures.known();
    if (known && !known.includes('alerts') && session.token) service.watch();
  }

  connection.dispatch.on('FOREX_ALERT', (payload) => {
    if (connection.isLoggedIn) service.pushed(payload);
  });

  return {
    calls: {
      ...service.calls,
      ...hidden,
      ...createPush(options),
      alerts(past) {
        listed = true;
        return service.calls.alerts(past);
      },
    },
    featuresKnown: watchOwn,
    async poll(anew) {
      if (session.token && serverFeatures.known()?.includes('alerts')) await service.poll(anew);
    },
    listener: {
      tokenChanged(token) {
        service.forget();
        // It is kept with the token of its session; what another tab has kept for this one stays.
        if (!token) void storage.remove(PUSH_KEY);
        changed();
        watchOwn();
      },
      connectedAgain: changed,
      storageRecovered: service.storageRecovered,
    },
  };
}
