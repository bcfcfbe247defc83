import * as api from '#domain/api/alerts';
import { type ReadAlert, readAlert } from '#domain/api/read-alerts';
import { readPage } from '#domain/api/read-page';
import { type Done, type Result, success } from '#domain/core/result';
import type { AlertForm } from '#domain/gateway/alerts';
import type { IdempotentRequests } from '../requests/contract';
import type { Http } from './client';

/** Most pages of one list: a hundred alerts. */
const MOST_PAGES = 5;

/** The alerts that wait, or the latest of those that do not any more (protocol.md#alerts). */
export async function alertList(http: Http, past: boolean): Promise<Result<ReadAlert[]>> {
  const found = new Map<number, ReadAlert>();
  for (let page = 1, received = 0; page <= MOST_PAGES; page++) {
    const params = { page, past: past ? 1 : 0 } as const;
    const result = await http.get(api.alertList, params, (data) => readPage(data, readAlert), {
      quiet: true,
    });
    if (!result.ok) return result;
    for (const alert of result.data.rows) found.set(alert.id, alert);
    received += result.data.received;
    if (result.data.received === 0 || received >= (result.data.total ?? 0)) break;
  }
  return success([...found.values()]);
}

/** Sets an alert (protocol.md#alerts). */
export function addAlert(
  requests: IdempotentRequests,
  { instrumentId, price, quote, repeat, note, until }: AlertForm,
  key: string,
): Promise<Result<Done<ReadAlert>>> {
  const params: api.AddAlertParams = {
    forex_id: instrumentId,
    price,
    quote: quote || '0',
    repeat: repeat ? 1 : 0,
    note,
    until: until ?? 0,
  };
  return requests.send(api.addAlert, params, readAlert, { key, subject: { kind: 'alert' } });
}

/** Deletes an alert (protocol.md#alerts). */
export function deleteAlert(
  requests: IdempotentRequests,
  id: number,
  key: string,
): Promise<Result<Done<null>>> {
  const read = (data: unknown) => (data === null ? null : undefined);
  return requests.send(api.deleteAlert, { id }, read, { key, subject: { kind: 'alertDeletion' } });
}
