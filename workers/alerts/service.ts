import { alert as declared, type ReadAlert } from '#domain/api/alerts';
import { parse } from '#domain/api/schema';
import { toText } from '#domain/core/decimal';
import { failed, type Result, success } from '#domain/core/result';
import type { Alert } from '#domain/trading/alert';
import type { AlertForm, AlertPlace } from '#domain/worker/alerts';
import { createDeviceAlerts } from './deviceAlerts';
import { createServerAlerts } from './serverAlerts';
import type { AlertCalls, AlertServiceOptions } from './types';

/** Lists, sets and deletes alerts, at the server or on this device. */
export interface AlertService {
  readonly calls: AlertCalls;
  /** A FOREX_ALERT has come. */
  pushed(payload: unknown): void;
  /** Watches the alerts of this device. */
  watch(): void;
  storageRecovered(): void;
  /** The user has left: nothing is watched any more. */
  forget(): void;
}

export function createAlertService(options: AlertServiceOptions): AlertService {
  const { api, session, serverFeatures, frames, changed } = options;
  const { list } = options.instruments;
  const server = createServerAlerts(api);
  const device = createDeviceAlerts({ ...options, triggered });

  function named(alert: ReadAlert): Alert {
    const instrument = list.instrumentOf(alert.code, alert.code);
    const decimals = toText(alert.price).split('.')[1]?.length ?? 0;
    return {
      ...alert,
      name: instrument?.name ?? alert.code,
      precision: instrument?.precision ?? decimals,
    };
  }

  function triggered(alert: ReadAlert): void {
    frames.emit({ type: 'alert-triggered', alert: named(alert) });
    changed();
  }

  async function place(): Promise<Result<AlertPlace>> {
    const { token } = session;
    const features = await serverFeatures.ask();
    if (!features.ok) return features;
    // Whoever has called may have left meanwhile.
    if (token !== session.token) return failed({ kind: 'signed-out' });
    return success(features.data.includes('alerts') ? 'server' : 'device');
  }

  const calls: AlertCalls = {
    async alerts(past) {
      await session.ready;
      const watchedBy = await place();
      if (!watchedBy.ok) return watchedBy;
      const found =
        watchedBy.data === 'server' ? await server.list(past) : success(await device.list(past));
      if (!found.ok) return found;
      return success({ alerts: found.data.map(named), watchedBy: watchedBy.data });
    },
    async addAlert(form: AlertForm, key) {
      const watchedBy = await place();
      if (!watchedBy.ok) return watchedBy;
      const added =
        watchedBy.data === 'server'
          ? await server.add(form, key)
          : success({ data: await device.add(form), text: '' });
      changed();
      if (!added.ok) return added;
      return success({ ...added.data, data: added.data.data && named(added.data.data) });
    },
    async deleteAlert(id, key) {
      const watchedBy = await place();
      if (!watchedBy.ok) return watchedBy;
      const result =
        watchedBy.data === 'server'
          ? await server.delete(id, key)
          : success({ data: await device.delete(id), text: '' });
      changed();
      return result;
    },
  };

  return {
    calls,
    pushed(payload) {
      const alert = parse(declared, payload);
      if (alert) triggered(alert);
    },
    watch: () => void device.watch(),
    storageRecovered: device.storageRecovered,
    forget: device.forget,
  };
}
