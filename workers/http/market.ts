import * as api from '#domain/api/market';
import {
  type ListedInstrument,
  readCategory,
  readInstrument,
  readSparklines,
} from '#domain/api/read-market';
import { readRows } from '#domain/core/read';
import type { Result } from '#domain/core/result';
import type { Category } from '#domain/market/instrument';
import type { CallOptions, Http } from './client';

type Options = Pick<CallOptions, 'signal' | 'initial' | 'quiet'>;

/** protocol.md#instrument-list, with the rows as they came, to be kept in storage. */
export function tradeList(
  http: Http,
  options: Options,
): Promise<Result<{ raw: unknown; rows: ListedInstrument[] }>> {
  const read = (data: unknown) => {
    const rows = readRows(data, readInstrument);
    return rows && { raw: data, rows };
  };
  return http.get(api.instrumentList, {}, read, options);
}

/** protocol.md#categories. */
export function categories(http: Http, options: Options = {}): Promise<Result<Category[]>> {
  return http.get(api.categoryList, {}, (data) => readRows(data, readCategory), options);
}

/** protocol.md#sparklines of at most 100 instruments. */
export function sparklines(
  http: Http,
  ids: readonly number[],
  options: Options = {},
): Promise<Result<Map<number, Float32Array>>> {
  return http.get(api.sparklines, { forex_id: ids.join(',') }, readSparklines, options);
}

/** protocol.md#klines: the rows unread, to be read straight into typed arrays. */
export function kline(
  http: Http,
  params: api.KlineParams,
  options: Options,
): Promise<Result<unknown[]>> {
  const read = (data: unknown) => (Array.isArray(data) ? data : undefined);
  return http.get(api.klines, params, read, options);
}
