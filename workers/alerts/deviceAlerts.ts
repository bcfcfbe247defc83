import { alert, type ReadAlert } from '#domain/api/alerts';
import { parse } from '#domain/api/schema';
import { isZero, toText, ZERO } from '#domain/core/decimal';
import { readFields, readRows } from '#domain/core/read';
import { readPrice } from '#domain/core/readAmounts';
import { timeBetween, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { ALERT_PAUSE_MS, isCrossed, type Waiting, waitingAt } from '#domain/trading/alert';
import type { AlertForm } from '#domain/worker/alerts';
import type { Followed } from '../pricing/prices';
import type { AlertServiceOptions } from './types';

const KEY = 'alerts';
/** Look again this often for the instrument of an alert, while the list has not come. */
const LIST_MS = toDurationMs(5000);

export interface DeviceAlertsOptions
  extends Pick<
    AlertServiceOptions,
    'clock' | 'wallClock' | 'session' | 'storage' | 'instruments' | 'trading'
  > {
  triggered: (alert: ReadAlert) => void;
}

/** The alerts of one session: those of another user are not watched for this one. */
interface SavedAlerts {
  readonly token: string;
  alerts: readonly ReadAlert[];
}

/** Alerts towards a server without them: kept on this device, watched while the app is open (domain.md#alerts). */
export interface DeviceAlerts {
  list(past: boolean): Promise<ReadAlert[]>;
  add(form: AlertForm): Promise<ReadAlert>;
  delete(id: number): Promise<null>;
  watch(): Promise<void>;
  forget(): void;
}

export function createDeviceAlerts(options: DeviceAlertsOptions): DeviceAlerts {
  const { clock, wallClock, session, storage, instruments, trading, triggered } = options;
  /** Of the present session, once they are read. */
  let saved: SavedAlerts | undefined;
  let loading: Promise<SavedAlerts> | undefined;
  let cancelLook = () => {};
  /** The side from which the price crosses next, by alert. */
  const sides = new Map<number, Waiting>();
  const followed = new Map<string, Followed>();

  const isWaiting = (alert: ReadAlert) =>
    (alert.repeat || alert.triggeredAt === undefined) &&
    (alert.until === undefined || alert.until > wallClock.now());

  function load(): Promise<SavedAlerts> {
    loading ??= read(session.token);
    return loading;
  }

  async function read(token: string): Promise<SavedAlerts> {
    const stored = readFields(await storage.get(KEY));
    const isOwn = stored?.['token'] === token;
    const found: SavedAlerts = {
      token,
      alerts: (isOwn && readRows(stored['alerts'], (row) => parse(alert, row))) || [],
    };
    // The user may have left meanwhile.
    if (token !== session.token) return found;
    saved = found;
    follow();
    return found;
  }

  /** Stores what has changed, unless its user has left. */
  function save(changed: SavedAlerts): void {
    if (changed !== saved) return;
    const alerts = changed.alerts.map((alert) => ({
      ...{ Id: alert.id, Code: alert.code, Price: toText(alert.price) },
      ...{ Above: alert.above ? 1 : 0, Repeat: alert.repeat ? 1 : 0, Note: alert.note },
      ...{ Until: alert.until ?? 0, CreatedAt: alert.createdAt },
      ...{ TriggeredAt: alert.triggeredAt ?? 0, TriggerPrice: toText(alert.triggerPrice) },
    }));
    void storage.set(KEY, { token: changed.token, alerts });
    follow();
  }

  /** Follows the prices of instruments with waiting alerts, and of no others. */
  function follow(): void {
    cancelLook();
    const codes = new Set(saved?.alerts.filter(isWaiting).map(({ code }) => code));
    let isMissing = false;
    for (const [code, price] of followed) {
      if (codes.has(code)) continue;
      price.release();
      followed.delete(code);
    }
    for (const code of codes) {
      const id = instruments.list.instrumentOf(code, code)?.id;
      if (id === undefined) isMissing = true;
      else if (!followed.has(code)) {
        followed.set(
          code,
          trading.prices.follow(id, () => moved(code)),
        );
        moved(code);
      }
    }
    if (isMissing) cancelLook = clock.after(LIST_MS, follow);
  }

  function moved(code: string): void {
    const price = followed.get(code)?.price;
    if (!saved || !price || isZero(price)) return;
    const now = wallClock.now();
    let changed = false;
    for (const alert of saved.alerts) {
      if (alert.code !== code || !isWaiting(alert)) continue;
      const waits = sides.get(alert.id) ?? (alert.above ? 'rise' : 'fall');
      sides.set(alert.id, waitingAt(alert.price, price));
      if (!isCrossed(alert.price, waits, price) || isPausing(alert, now)) continue;
      fire(saved, alert, waits === 'rise', price, now);
      changed = true;
    }
    if (changed) save(saved);
  }

  function fire(
    of: SavedAlerts,
    alert: ReadAlert,
    above: boolean,
    price: Price,
    now: UnixMs,
  ): void {
    const fired = { ...alert, above, triggeredAt: now, triggerPrice: price };
    // A repeating one waits for the way back.
    const next = alert.repeat ? { ...fired, above: !above } : fired;
    of.alerts = of.alerts.map((other) => (other.id === alert.id ? next : other));
    triggered(fired);
  }

  return {
    async list(past) {
      const { alerts } = await load();
      return alerts.filter((alert) => isWaiting(alert) !== past).reverse();
    },
    async add(form) {
      const own = await load();
      const { instrumentId, note, repeat, until } = form;
      const price = toPrice(form.price);
      const quote = readPrice(form.quote) ?? price;
      const alert: ReadAlert = {
        id: Math.max(0, ...own.alerts.map(({ id }) => id)) + 1,
        code: instruments.list.instrument(instrumentId)?.code ?? '',
        ...{ price, repeat, note, until },
        above: waitingAt(price, quote) !== 'fall',
        createdAt: wallClock.now(),
        triggeredAt: undefined,
        triggerPrice: ZERO,
      };
      own.alerts = [...own.alerts, alert];
      save(own);
      moved(alert.code);
      return alert;
    },
    async delete(id) {
      const own = await load();
      own.alerts = own.alerts.filter((alert) => alert.id !== id);
      save(own);
      return null;
    },
    async watch() {
      await load();
    },
    forget() {
      saved = undefined;
      loading = undefined;
      sides.clear();
      follow();
    },
  };
}

function isPausing({ triggeredAt }: ReadAlert, now: UnixMs): boolean {
  return triggeredAt !== undefined && timeBetween(triggeredAt, now) < ALERT_PAUSE_MS;
}
