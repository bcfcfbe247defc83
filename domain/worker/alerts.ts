/** The part of the worker's contract about alerts (domain.md#alerts). */
import type { Done, Result } from '../core/result';
import type { DurationMs, UnixMs } from '../core/time';
import type { Alert } from '../trading/alert';
import type { Condition } from '../trading/condition';

/** Who watches alerts: the server, or where it can't (protocol.md#features) the device, while the app is open. */
export type AlertPlace = 'server' | 'device';

/** An alert as the user enters it. Prices are plain decimals. */
export interface AlertForm {
  /** What it is on, where that is no price. */
  condition?: Condition;
  /** 0 for the margin level. */
  instrumentId: number;
  /** Of a price. */
  price: string;
  /** The price that the user saw; empty: unknown. */
  quote: string;
  repeat: boolean;
  note: string;
  until: UnixMs | undefined;
  /** Instead: how long it waits, by the clock of who watches it. */
  lasting?: DurationMs;
}

/** What alerts add to the WorkerEvents. All but the first reach a hidden page too. */
export type AlertEvent =
  /** The alerts may have changed: call `alerts` again. */
  | { type: 'alerts-changed' }
  /** An alert of the user has triggered. */
  | { type: 'alert-triggered'; alert: Alert }
  /** The margin level fell below a limit (domain.md#margin-level), once until it has recovered. */
  | { type: 'margin-warning'; state: 'low' | 'critical' };

/** An alert as a device keeps it. */
export type DeviceAlertRow = { Id: number } & Readonly<Record<string, string | number>>;

export interface AlertsWorkerApi {
  /** The alerts that wait, at most 100, or the latest 100 that do not wait any more; newest first. */
  alerts(past: boolean): Promise<Result<{ alerts: Alert[]; watchedBy: AlertPlace }>>;
  /** Sets an alert. `key` is the action's idempotency key (protocol.md#idempotency). */
  addAlert(form: AlertForm, key: string): Promise<Result<Done<Alert>>>;
  /** Deletes a waiting or a past alert. */
  deleteAlert(id: number, key: string): Promise<Result<Done<null>>>;
  /**
   * The alerts that this device keeps, as rows with Unix ms; undefined where the server keeps them, or does not say. `change` is
   * made before: rows are put in place of those with their ids. `isNew`: nothing was changed so in this session, and the
   * alerts of the one before went with it.
   */
  deviceAlerts(change?: {
    set: readonly DeviceAlertRow[];
    del: readonly number[];
  }): Promise<{ rows: DeviceAlertRow[]; isNew: boolean } | undefined>;
  /** The instrument whose price is in the page's title: it reaches a hidden page too, once a second. */
  setTitleInstrument(id: number | undefined): void;
}
