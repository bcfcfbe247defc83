import type { UnixMs } from '#domain/core/time';
import type { AlertsWorkerApi } from '#domain/worker/alerts';
import type { PushWorkerApi } from '#domain/worker/push';
import { removeEnded } from '../account/session';
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
  /** Tells of alerts that have triggered untold since then, by the server's wall clock. Returns whether they are told. */
  poll(since: UnixMs | undefined): Promise<boolean>;
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
    if (known && (!known.includes('alerts') || !session.token)) service.watch();
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
      deviceAlerts(change) {
        listed = true;
        return service.calls.deviceAlerts(change);
      },
    },
    featuresKnown: watchOwn,
    async poll(since) {
      const has = session.token && serverFeatures.known()?.includes('alerts');
      return has ? service.poll(since) : true;
    },
    listener: {
      tokenChanged(token) {
        service.forget();
        if (!token) void removeEnded(storage, PUSH_KEY);
        changed();
        watchOwn();
      },
      connectedAgain: changed,
      storageRecovered: service.storageRecovered,
    },
  };
}
