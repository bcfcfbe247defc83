import { alert as declared, type ReadAlert } from '#domain/api/alerts';
import { parse } from '#domain/api/schema';
import { toText } from '#domain/core/decimal';
import { failed, type Result, success } from '#domain/core/result';
import type { UnixMs } from '#domain/core/time';
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
  /** Tells of the server's alerts that have triggered since the last call, where no push does. `anew`: pushes have come since then. */
  poll(anew: boolean): Promise<void>;
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
  /** When the waiting alerts of the server have triggered last, by id; undefined: they were not polled. */
  let waiting: Map<number, UnixMs | undefined> | undefined;

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
      if (added.data.data) waiting?.set(added.data.data.id, undefined);
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
    async poll(anew) {
      if (anew) waiting = undefined;
      const before = waiting;
      if (before?.size === 0) return;
      const present = await server.list(false);
      if (!present.ok) return;
      const now = new Map(present.data.map(({ id, triggeredAt }) => [id, triggeredAt]));
      const isGone = [...(before ?? [])].some(([id]) => !now.has(id));
      const past = isGone ? await server.list(true) : success([]);
      // Another answer has come first, or the user has left.
      if (!past.ok || waiting !== before) return;
      waiting = now;
      for (const alert of [...present.data, ...past.data]) {
        const { id, triggeredAt } = alert;
        if (triggeredAt !== undefined && before?.has(id) && before.get(id) !== triggeredAt)
          triggered(alert);
      }
    },
    watch: () => void device.watch(),
    storageRecovered: device.storageRecovered,
    forget() {
      waiting = undefined;
      device.forget();
    },
  };
}
