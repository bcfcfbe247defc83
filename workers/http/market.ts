import {
  type ListedInstrument,
  readCategory,
  readInstrument,
  readSparklines,
} from '#domain/api/read-market';
import { readRows } from '#domain/core/read';
import type { Result } from '#domain/core/result';
import type { UnixSeconds } from '#domain/core/units';
import type { Category } from '#domain/market/instrument';
import type { Period } from '#domain/market/kline';
import type { Call, Http } from './client';

type Options = Pick<Call, 'signal' | 'initial' | 'quiet'>;

/** GET trade_list (§7), with the rows as they came, to be kept in storage. */
export function tradeList(
  http: Http,
  options: Options,
): Promise<Result<{ raw: unknown; rows: ListedInstrument[] }>> {
  return http.get({ path: '/v1/api/forex/trade_list', ...options }, (data) => {
    const rows = readRows(data, readInstrument);
    return rows && { raw: data, rows };
  });
}

/** GET getCategories (§7). */
export function categories(http: Http, options: Options = {}): Promise<Result<Category[]>> {
  return http.get({ path: '/v1/api/forex/getCategories', ...options }, (data) =>
    readRows(data, readCategory),
  );
}

/** GET abbreviated_cache_kline (§7) of at most 100 instruments. */
export function sparklines(
  http: Http,
  ids: readonly number[],
  options: Options = {},
): Promise<Result<Map<number, Float32Array>>> {
  const params = { forex_id: ids.join(',') };
  return http.get(
    { path: '/v1/api/forex/abbreviated_cache_kline', params, ...options },
    readSparklines,
  );
}

/** GET kline (§7): the rows unread, to be read straight into typed arrays. */
export function kline(
  http: Http,
  params: { forex_id: number; period: Period; before?: UnixSeconds },
  options: Options,
): Promise<Result<unknown[]>> {
  return http.get({ path: '/v1/api/forex/kline', params, ...options }, (data) =>
    Array.isArray(data) ? data : undefined,
  );
}
