import { type ReadAlert, readAlert } from '#domain/api/read-alerts';
import { isZero, toText, ZERO } from '#domain/core/decimal';
import { readRows } from '#domain/core/read';
import { readPrice } from '#domain/core/readAmounts';
import { timeBetween, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import type { AlertForm } from '#domain/gateway/alerts';
import { ALERT_PAUSE_MS, isCrossed, type Waiting, waitingAt } from '#domain/trading/alert';
import type { Followed } from '../risk/prices';
import type { AlertServiceOptions } from './contract';

const KEY = 'alerts';
/** Look again this often for the instrument of an alert, while the list has not come. */
const LIST_MS = toDurationMs(5000);

export interface DeviceAlertsOptions
  extends Pick<AlertServiceOptions, 'clock' | 'wallClock' | 'storage' | 'instruments' | 'trading'> {
  triggered: (alert: ReadAlert) => void;
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
  const { clock, wallClock, storage, instruments, trading, triggered } = options;
  let all: ReadAlert[] = [];
  let loading: Promise<void> | undefined;
  /** The side from which the price crosses next, by alert. */
  const sides = new Map<number, Waiting>();
  const followed = new Map<string, Followed>();

  const isWaiting = (alert: ReadAlert) =>
    (alert.repeat || alert.triggeredAt === undefined) &&
    (alert.until === undefined || alert.until > wallClock.now());

  async function load(): Promise<void> {
    loading ??= storage.get(KEY).then((stored) => {
      all = readRows(stored, readAlert) ?? [];
      follow();
    });
    await loading;
  }

  function save(): void {
    void storage.set(
      KEY,
      all.map((alert) => ({
        ...{ Id: alert.id, Code: alert.code, Price: toText(alert.price) },
        ...{ Above: alert.above ? 1 : 0, Repeat: alert.repeat ? 1 : 0, Note: alert.note },
        ...{ Until: alert.until ?? 0, CreatedAt: alert.createdAt },
        ...{ TriggeredAt: alert.triggeredAt ?? 0, TriggerPrice: toText(alert.triggerPrice) },
      })),
    );
  }

  /** Follows the prices of instruments with waiting alerts, and of no others. */
  function follow(): void {
    const codes = new Set(all.filter(isWaiting).map(({ code }) => code));
    for (const [code, price] of followed) {
      if (codes.has(code)) continue;
      price.release();
      followed.delete(code);
    }
    for (const code of codes) {
      const id = instruments.list.instrumentOf(code, code)?.id;
      if (id === undefined) clock.after(LIST_MS, follow);
      else if (!followed.has(code)) {
        followed.set(
          code,
          trading.prices.follow(id, () => moved(code)),
        );
        moved(code);
      }
    }
  }

  function moved(code: string): void {
    const price = followed.get(code)?.price;
    if (!price || isZero(price)) return;
    const now = wallClock.now();
    let changed = false;
    for (const alert of all) {
      if (alert.code !== code || !isWaiting(alert)) continue;
      const waits = sides.get(alert.id) ?? (alert.above ? 'rise' : 'fall');
      sides.set(alert.id, waitingAt(alert.price, price));
      if (!isCrossed(alert.price, waits, price) || isPausing(alert, now)) continue;
      fire(alert, waits === 'rise', price, now);
      changed = true;
    }
    if (!changed) return;
    save();
    follow();
  }

  function fire(alert: ReadAlert, above: boolean, price: Price, now: UnixMs): void {
    const fired = { ...alert, above, triggeredAt: now, triggerPrice: price };
    // A repeating one waits for the way back.
    const next = alert.repeat ? { ...fired, above: !above } : fired;
    all = all.map((other) => (other.id === alert.id ? next : other));
    triggered(fired);
  }

  return {
    async list(past) {
      await load();
      return all.filter((alert) => isWaiting(alert) !== past).reverse();
    },
    async add(form) {
      await load();
      const { instrumentId, note, repeat, until } = form;
      const price = toPrice(form.price);
      const quote = readPrice(form.quote) ?? price;
      const alert: ReadAlert = {
        id: Math.max(0, ...all.map(({ id }) => id)) + 1,
        code: instruments.list.instrument(instrumentId)?.code ?? '',
        ...{ price, repeat, note, until },
        above: waitingAt(price, quote) !== 'fall',
        createdAt: wallClock.now(),
        triggeredAt: undefined,
        triggerPrice: ZERO,
      };
      all = [...all, alert];
      save();
      follow();
      moved(alert.code);
      return alert;
    },
    async delete(id) {
      await load();
      all = all.filter((alert) => alert.id !== id);
      save();
      follow();
      return null;
    },
    watch: load,
    forget() {
      all = [];
      loading = undefined;
      sides.clear();
      follow();
    },
  };
}

function isPausing({ triggeredAt }: ReadAlert, now: UnixMs): boolean {
  return triggeredAt !== undefined && timeBetween(triggeredAt, now) < ALERT_PAUSE_MS;
}
