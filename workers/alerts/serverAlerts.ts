import type { ReadAlert } from '#domain/api/alerts';
import { type Done, type Result, success } from '#domain/core/result';
import { conditionParams } from '#domain/trading/condition';
import type { AlertForm } from '#domain/worker/alerts';
import type { Api } from '../http/api';

/** Most pages of one list: a hundred alerts. */
const MOST_PAGES = 5;

/** The alerts that the server watches (protocol.md#alerts). */
export interface ServerAlerts {
  /** The alerts that wait, or the latest of those that do not any more. */
  list(past: boolean): Promise<Result<ReadAlert[]>>;
  add(form: AlertForm, key: string): Promise<Result<Done<ReadAlert>>>;
  delete(id: number, key: string): Promise<Result<Done<null>>>;
}

export function createServerAlerts(api: Api): ServerAlerts {
  return {
    async list(past) {
      const found = new Map<number, ReadAlert>();
      for (let page = 1, received = 0; page <= MOST_PAGES; page++) {
        const result = await api('alerts.alertList', { page, past: past ? 1 : 0 });
        if (!result.ok) return result;
        for (const alert of result.data.rows) found.set(alert.id, alert);
        received += result.data.received;
        if (result.data.received === 0 || received >= (result.data.total ?? 0)) break;
      }
      return success([...found.values()]);
    },
    add({ condition, instrumentId, price, quote, repeat, note, until }, key) {
      const level = { forex_id: instrumentId, price: price || '0', quote: quote || '0' };
      // A server without them does not know these parameters.
      const on =
        condition && condition.kind !== 'price'
          ? { kind: condition.kind, params: conditionParams(condition) }
          : {};
      const params = { ...level, repeat: repeat ? 1 : 0, note, until: until ?? 0, ...on } as const;
      return api('alerts.addAlert', params, { key });
    },
    delete: (id, key) => api('alerts.deleteAlert', { id }, { key }),
  };
}
