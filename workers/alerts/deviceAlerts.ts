import { alert, type ReadAlert } from '#domain/api/alerts';
import { parse } from '#domain/api/schema';
import { isZero, toText, ZERO } from '#domain/core/decimal';
import { readFields, readRows } from '#domain/core/read';
import { readPrice } from '#domain/core/readAmounts';
import { failed, type Result, success } from '#domain/core/result';
import { latest, timeBetween, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice } from '#domain/core/units';
import { ALERT_PAUSE_MS, isCrossed, type Waiting, waitingAt } from '#domain/trading/alert';
import { alertEnd, conditionParams } from '#domain/trading/condition';
import type { AlertForm, AlertsWorkerApi, DeviceAlertRow } from '#domain/worker/alerts';
import { removeEnded } from '../account/session';
import { importOnce } from '../core/importOnce';
import type { Followed } from '../pricing/prices';
import type { DeviceConditions, DeviceCrossing, DeviceQuote } from './deviceConditions';
import type { AlertServiceOptions } from './types';

const conditionCode = importOnce(() => import('./deviceConditions'));

/** An entry of its own for each alert: what could not be read, or another tab has stored, is not overwritten. */
const PREFIX = 'alert ';
/** The session in which they were last changed from outside. */
const FOLLOWED = 'followed alerts';
/** Where earlier versions have stored all of them. */
const FORMER = 'alerts';
/** Look again this often for the instrument of an alert, while the list has not come. */
const LIST_MS = toDurationMs(5000);
/** A bar ends, and a line comes to the price, without a new price (domain.md#conditions). */
const JUDGED_EVERY_MS = toDurationMs(1000);

export interface DeviceAlertsOptions
  extends Pick<
    AlertServiceOptions,
    | 'clock'
    | 'wallClock'
    | 'session'
    | 'storage'
    | 'connection'
    | 'instruments'
    | 'trading'
    | 'http'
    | 'otherTabs'
    | 'changed'
  > {
  triggered: (alert: ReadAlert) => void;
}

/** The alerts of one session: those of another user are not watched for this one. */
interface SavedAlerts {
  readonly token: string;
  alerts: readonly ReadAlert[];
}

/** Alerts of visitors, and towards a server without them: kept on this device, watched while the app is open (domain.md#alerts). */
export interface DeviceAlerts {
  list(past: boolean): Promise<ReadAlert[]>;
  /** Refuses an alert that has ended already. */
  add(form: AlertForm): Promise<Result<ReadAlert>>;
  delete(id: number): Promise<null>;
  /** `AlertsWorkerApi.deviceAlerts`. */
  rows(
    change?: Parameters<AlertsWorkerApi['deviceAlerts']>[0],
  ): Promise<{ rows: DeviceAlertRow[]; isNew: boolean }>;
  watch(): Promise<void>;
  storageRecovered(): void;
  forget(): void;
}

export function createDeviceAlerts(options: DeviceAlertsOptions): DeviceAlerts {
  const { clock, wallClock, session, storage, instruments, trading, http, triggered } = options;
  const { otherTabs } = options;
  const { tracker } = options.connection;
  /** Of the present session, once they are read. */
  let saved: SavedAlerts | undefined;
  let loading: Promise<SavedAlerts> | undefined;
  let cancelLook = () => {};
  let cancelJudging = () => {};
  /** The side from which the price crosses next, by alert. */
  const sides = new Map<number, Waiting>();
  /** When an alert on something else than a price has triggered in this visit, by the market's clock. */
  const crossedAt = new Map<number, UnixMs>();
  const followed = new Map<string, Followed>();
  let conditions: DeviceConditions | undefined;

  const isWaiting = (alert: ReadAlert) =>
    (alert.repeat || alert.triggeredAt === undefined) &&
    (alert.until === undefined || alert.until > wallClock.now());

  function load(): Promise<SavedAlerts> {
    loading ??= read(session.token);
    return loading;
  }

  async function read(token: string): Promise<SavedAlerts> {
    const found: SavedAlerts = { token, alerts: [] };
    await takeStored(found);
    // The user may have left meanwhile.
    if (token !== session.token) return found;
    saved = found;
    follow();
    return found;
  }

  /** Takes over what is stored: from earlier visits, and as other tabs have changed it. */
  async function takeStored(own: SavedAlerts): Promise<void> {
    const { token } = own;
    const before = own.alerts;
    const former = readFields(await storage.get(FORMER));
    const rows = former?.['token'] === token ? readRows(former['alerts'], readAlert) : undefined;
    for (const alert of rows ?? []) await store(token, alert);
    // Without a session it may still be read late.
    if (former && token) await storage.remove(FORMER);
    const stored = await storage.all(PREFIX);
    const alerts = stored.flatMap((value) => {
      const fields = readFields(value);
      return (fields?.['token'] === token && readAlert(fields)) || [];
    });
    const byId = new Map(alerts.map((alert) => [alert.id, alert]));
    // One that was deleted meanwhile does not come back.
    const known = new Set([...before, ...own.alerts].map(({ id }) => id));
    const present = own.alerts.map((alert) => triggeredLast(alert, byId.get(alert.id)));
    const added = alerts.filter(({ id }) => !known.has(id));
    own.alerts = [...present, ...added].sort((a, b) => a.id - b.id);
    for (const { id } of present) if (!byId.has(id)) await endIfDeleted(own, id);
  }

  /** Ends an alert that another tab has deleted. Returns whether one has. */
  async function endIfDeleted(own: SavedAlerts, id: number): Promise<boolean> {
    const isDeleted = (await storage.get(PREFIX + id)) === undefined;
    if (isDeleted) end(own, id);
    return isDeleted;
  }

  function end(own: SavedAlerts, id: number): void {
    conditions?.forget(id);
    crossedAt.delete(id);
    own.alerts = own.alerts.filter((alert) => alert.id !== id);
    follow();
  }

  /** Reads again what is stored, once it was read. */
  async function readAgain(): Promise<void> {
    const own = await loading;
    if (!own || own !== saved) return;
    await takeStored(own);
    follow();
    options.changed();
  }
  otherTabs.onAlerts(() => void readAgain());

  function store(token: string, alert: ReadAlert): Promise<void> {
    return storage.set(PREFIX + alert.id, { token, ...rowOf(alert) });
  }

  /** Removes the alerts of sessions that are over. */
  async function removeOthers(): Promise<void> {
    // With a session, `takeStored` tells whose it is.
    if (!session.token) {
      await removeEnded(storage, FORMER);
      await removeEnded(storage, FOLLOWED);
    }
    for (const value of await storage.all(PREFIX)) {
      const fields = readFields(value);
      // A visitor has none, and finds them again after the session.
      if (fields?.['token']) await removeEnded(storage, PREFIX + fields['Id']);
    }
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
          trading.prices.follow(id, () => moved(code), true),
        );
        moved(code);
      }
    }
    if (isMissing) cancelLook = clock.after(LIST_MS, follow);
    judgeLater();
  }

  /** Judges again although no price has come, while there is something to judge. */
  function judgeLater(): void {
    cancelJudging();
    if (!saved?.alerts.some((alert) => isOfConditions(alert) && isWaiting(alert))) return;
    cancelJudging = clock.after(JUDGED_EVERY_MS, () => {
      for (const code of followed.keys()) moved(code);
      judgeLater();
    });
  }

  function moved(code: string): void {
    const price = followed.get(code)?.price;
    if (!saved || !price || isZero(price)) return;
    const now = wallClock.now();
    for (const alert of saved.alerts) {
      if (alert.code !== code || !isWaiting(alert)) continue;
      if (isOfConditions(alert)) {
        void judge(saved, alert);
        continue;
      }
      const waits = sides.get(alert.id) ?? (alert.above ? 'rise' : 'fall');
      sides.set(alert.id, waitingAt(alert.price, price));
      if (!isCrossed(alert.price, waits, price) || isPausing(alert, now)) continue;
      void fire(saved, alert, waits === 'rise', price, now, quoteOf(code)?.time ?? now);
    }
  }

  const isOfConditions = ({ condition }: ReadAlert) => condition.kind !== 'price';

  /** What judges alerts that are on something else than a price. Where it can't be loaded, the next price tries again. */
  async function loadConditions(): Promise<DeviceConditions | undefined> {
    const loaded = await conditionCode().catch(() => undefined);
    if (loaded) conditions ??= loaded.createDeviceConditions(http);
    return conditions;
  }

  function quoteOf(code: string): DeviceQuote | undefined {
    const instrumentId = instruments.list.instrumentOf(code, code)?.id;
    const slot = instrumentId === undefined ? undefined : instruments.list.slot(instrumentId);
    if (instrumentId === undefined || slot === undefined) return undefined;
    const { quotes } = instruments;
    const { close, open, time: sent } = quotes.quote(slot);
    const time = sent ?? quotes.arrived(slot);
    // The market goes on while this instrument has no price. NaN: none has one yet.
    const newest = latest(toUnixMs(quotes.newestTime || 0), time);
    const now = latest(newest, tracker.marketTime?.from ?? time);
    const isHalted = instruments.list.row(code)?.closedReason !== undefined;
    return { instrumentId, price: close, open, time, now, isHalted };
  }

  async function judge(of: SavedAlerts, { id, code }: ReadAlert): Promise<void> {
    const quote = quoteOf(code);
    const judging = conditions ?? (await loadConditions());
    const alert = of.alerts.find((each) => each.id === id);
    if (!quote || !judging || !alert) return;
    const crossing = await judging.judge(alert, quote);
    const present = of.alerts.find((each) => each.id === id);
    const now = wallClock.now();
    // It may have been deleted meanwhile, or belong to a session that is over.
    if (!crossing || !present || of !== saved) return;
    if (!isWaiting(present) || pauses(present, crossing, now)) return;
    const price = readPrice(crossing.price);
    if (!price) return;
    crossedAt.set(id, crossing.time);
    void fire(of, present, crossing.above, price, now, crossing.time);
  }

  /** The pause counts on the market's clock: bars that end a minute apart are told up to some seconds later. */
  function pauses(alert: ReadAlert, { time }: DeviceCrossing, now: UnixMs): boolean {
    const last = crossedAt.get(alert.id);
    return last === undefined ? isPausing(alert, now) : timeBetween(last, time) < ALERT_PAUSE_MS;
  }

  async function fire(
    of: SavedAlerts,
    alert: ReadAlert,
    above: boolean,
    price: Price,
    now: UnixMs,
    /** Of the quote, which other tabs have too: it names the notification, which the user gets once. */
    quoted: UnixMs,
  ): Promise<void> {
    const fired = { ...alert, above, triggeredAt: now, triggerPrice: price };
    // A repeating one waits for the way back.
    const isPrice = alert.condition.kind === 'price';
    const next = alert.repeat && isPrice ? { ...fired, above: !above } : fired;
    of.alerts = of.alerts.map((other) => (other.id === alert.id ? next : other));
    follow();
    // Another tab may have deleted it, or the user has left.
    if ((await endIfDeleted(of, alert.id)) || of !== saved) return;
    const stored = store(of.token, next);
    triggered({ ...fired, triggeredAt: quoted });
    await stored;
    otherTabs.publishAlerts();
  }

  return {
    async list(past) {
      const { alerts } = await load();
      return alerts.filter((alert) => isWaiting(alert) !== past).reverse();
    },
    async add(form) {
      const own = await load();
      const { condition = { kind: 'price' }, instrumentId, note, repeat } = form;
      const code = instruments.list.instrument(instrumentId)?.code ?? '';
      const now = wallClock.now();
      // NaN while nothing has a price.
      const market = quoteOf(code)?.now || tracker.marketTime?.from || now;
      const until = alertEnd(condition, form.until, { market, now });
      if (until !== undefined && until <= now)
        return failed({ kind: 'invalid', message: { key: 'alertEndPast' } });
      const price = toPrice(form.price || '0');
      const quote = readPrice(form.quote) ?? price;
      const alert: ReadAlert = {
        // Another device of the user may set one in the same millisecond.
        id: Math.max(idAt(now), ...own.alerts.map(({ id }) => id + 1)),
        ...{ code, condition, price, repeat, note, until },
        above:
          condition.kind === 'percent' ? condition.change > 0 : waitingAt(price, quote) !== 'fall',
        createdAt: now,
        triggeredAt: undefined,
        triggerPrice: ZERO,
      };
      // The side of the price that the user saw.
      const seen = isOfConditions(alert) && quoteOf(code);
      if (seen) {
        const judging = await loadConditions();
        await judging?.judge(alert, { ...seen, price: Number(form.quote) || seen.price });
      }
      own.alerts = [...own.alerts, alert];
      // Nobody is told of it before it is stored.
      if (own === saved) await store(own.token, alert);
      otherTabs.publishAlerts();
      follow();
      moved(code);
      return success(alert);
    },
    async delete(id) {
      const own = await load();
      end(own, id);
      if (own === saved) await storage.remove(PREFIX + id);
      otherTabs.publishAlerts();
      return null;
    },
    async rows(change) {
      const own = await load();
      const isNew = (await storage.get(FOLLOWED)) !== own.token;
      if (change) {
        if (own === saved) await storage.set(FOLLOWED, own.token);
        const set = change.set.flatMap((row) => readAlert(row) ?? []);
        const replaced = new Set([...change.del, ...set.map(({ id }) => id)]);
        for (const id of replaced) sides.delete(id);
        const others = own.alerts.filter(({ id }) => !replaced.has(id));
        own.alerts = [...others, ...set].sort((a, b) => a.id - b.id);
        // At once: an alert that is not stored counts as deleted.
        const writes =
          own === saved
            ? [
                ...change.del.map((id) => storage.remove(PREFIX + id)),
                ...set.map((alert) => store(own.token, alert)),
              ]
            : [];
        await Promise.all(writes);
        otherTabs.publishAlerts();
        follow();
      }
      return { rows: own.alerts.map(rowOf), isNew };
    },
    async watch() {
      await load();
    },
    storageRecovered() {
      void readAgain();
    },
    forget() {
      void removeOthers();
      saved = undefined;
      loading = undefined;
      sides.clear();
      crossedAt.clear();
      conditions = undefined;
      follow();
    },
  };
}

function rowOf(alert: ReadAlert): DeviceAlertRow {
  return {
    ...{ Id: alert.id, Code: alert.code, Price: toText(alert.price) },
    ...{ Above: alert.above ? 1 : 0, Repeat: alert.repeat ? 1 : 0, Note: alert.note },
    ...{ Until: alert.until ?? 0, CreatedAt: alert.createdAt },
    ...{ TriggeredAt: alert.triggeredAt ?? 0, TriggerPrice: toText(alert.triggerPrice) },
    ...{ Kind: alert.condition.kind, Params: conditionParams(alert.condition) },
  };
}

/** The alert as it is stored, unless it has triggered since. */
function triggeredLast(own: ReadAlert, stored: ReadAlert | undefined): ReadAlert {
  return stored && (stored.triggeredAt ?? 0) >= (own.triggeredAt ?? 0) ? stored : own;
}

const readAlert = (row: unknown) => parse(alert, row);

/** A number that grows with time, with three digits at random. */
function idAt(time: UnixMs): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint16Array(1));
  return time * 1000 + (drawn % 1000);
}

function isPausing({ triggeredAt }: ReadAlert, now: UnixMs): boolean {
  // Either way: the clock may have been set back since.
  return triggeredAt !== undefined && Math.abs(timeBetween(triggeredAt, now)) < ALERT_PAUSE_MS;
}
