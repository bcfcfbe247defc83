import { alert as declared, type ReadAlert } from '#domain/api/alerts';
import { parse } from '#domain/api/schema';
import { toText } from '#domain/core/decimal';
import { type Done, failed, type Result, success } from '#domain/core/result';
import { timeAfter, type UnixMs } from '#domain/core/time';
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
  /**
   * Tells of the server's alerts that have triggered untold since then, by its wall clock; undefined: since the first call. Returns
   * whether the server has answered. Calls with the same `since` follow each other without a push between them.
   */
  poll(since: UnixMs | undefined): Promise<boolean>;
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
  /** The ids of the server's alerts that wait; undefined: not polled since `polledSince`. */
  let waiting: Set<number> | undefined;
  let polledSince: UnixMs | undefined;
  /** When alerts of the server have triggered last, by id, as far as it is known here. */
  const known = new Map<number, UnixMs>();

  function named(alert: ReadAlert): Alert {
    const instrument = list.instrumentOf(alert.code, alert.code);
    const decimals = toText(alert.price).split('.')[1]?.length ?? 0;
    return {
      ...alert,
      name: instrument?.name ?? alert.code,
      precision: instrument?.precision ?? (alert.condition.kind === 'margin' ? 2 : decimals),
    };
  }

  function triggered(alert: ReadAlert): void {
    frames.emit({ type: 'alert-triggered', alert: named(alert) });
    changed();
  }

  /** Whether an alert has triggered as it was not known to. */
  function learn({ id, triggeredAt }: ReadAlert): boolean {
    const isNew = triggeredAt !== undefined && known.get(id) !== triggeredAt;
    if (isNew) known.set(id, triggeredAt);
    return isNew;
  }

  async function place(): Promise<Result<AlertPlace>> {
    const { token } = session;
    if (!token) return success('device');
    const features = await serverFeatures.ask();
    if (!features.ok) return features;
    // Whoever has called may have left meanwhile.
    if (token !== session.token) return failed({ kind: 'signed-out' });
    return success(features.data.includes('alerts') ? 'server' : 'device');
  }

  async function addHere(form: AlertForm): Promise<Result<Done<ReadAlert>>> {
    const added = await device.add(form);
    return added.ok ? success({ data: added.data, text: '' }) : added;
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
    async addAlert({ lasting, ...form }: AlertForm, key) {
      const watchedBy = await place();
      if (!watchedBy.ok) return watchedBy;
      const isServer = watchedBy.data === 'server';
      const now = (isServer && options.connection.serverClock.now()) || options.wallClock.now();
      if (lasting) form.until = timeAfter(now, lasting);
      const added = isServer ? await server.add(form, key) : await addHere(form);
      changed();
      if (!added.ok) return added;
      if (added.data.data) waiting?.add(added.data.data.id);
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
    async deviceAlerts(change) {
      await session.ready;
      const watchedBy = await place();
      if (!watchedBy.ok || watchedBy.data === 'server') return undefined;
      const kept = await device.rows(change);
      if (change) changed();
      return kept;
    },
  };

  return {
    calls,
    pushed(payload) {
      const alert = parse(declared, payload);
      if (!alert) return;
      learn(alert);
      triggered(alert);
    },
    async poll(since) {
      if (since !== polledSince) waiting = undefined;
      polledSince = since;
      const before = waiting;
      if (before?.size === 0) return true;
      const { token } = session;
      const present = await server.list(false);
      if (!present.ok) return false;
      const now = new Set(present.data.map(({ id }) => id));
      // One that has ended, or been deleted, waits no longer.
      const isGone = !before || [...before].some((id) => !now.has(id));
      const past = isGone ? await server.list(true) : success([]);
      if (!past.ok) return false;
      if (token !== session.token) return true;
      waiting = now;
      const from = before ? 0 : (since ?? Number.POSITIVE_INFINITY);
      for (const alert of [...present.data, ...past.data])
        if (learn(alert) && (alert.triggeredAt ?? 0) >= from) triggered(alert);
      return true;
    },
    watch: () => void device.watch(),
    storageRecovered: device.storageRecovered,
    forget() {
      waiting = undefined;
      known.clear();
      device.forget();
    },
  };
}
