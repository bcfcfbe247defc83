import * as api from '#domain/api/market';
import {
  type ListedInstrument,
  readCategory,
  readInstruments,
  readSparklines,
} from '#domain/api/read-market';
import { readRows } from '#domain/core/read';
import type { Result } from '#domain/core/result';
import type { Category } from '#domain/market/instrument';
import type { CallOptions } from './call';
import type { Http } from './client';

type Options = Pick<CallOptions, 'signal' | 'initial' | 'quiet'>;

/** The instrument list (protocol.md#instrument-list). `raw`: the rows as they came, for the storage. */
export function tradeList(
  http: Http,
  options: Options,
): Promise<Result<{ raw: unknown; rows: ListedInstrument[] }>> {
  const read = (data: unknown) => {
    const rows = readInstruments(data);
    return rows && { raw: data, rows };
  };
  return http.get(api.instrumentList, {}, read, options);
}

/** Categories in the present language (protocol.md#categories). */
export function categories(http: Http, options: Options = {}): Promise<Result<Category[]>> {
  return http.get(api.categoryList, {}, (data) => readRows(data, readCategory), options);
}

/** Sparklines of at most 100 instruments (protocol.md#sparklines). */
export function sparklines(
  http: Http,
  ids: readonly number[],
  options: Options = {},
): Promise<Result<Map<number, Float32Array>>> {
  return http.get(api.sparklines, { forex_id: ids.join(',') }, readSparklines, options);
}

/** A page of bars (protocol.md#klines). The rows are read by the caller, straight into typed arrays. */
export function kline(
  http: Http,
  params: api.KlineParams,
  options: Options,
): Promise<Result<unknown[]>> {
  const read = (data: unknown) => (Array.isArray(data) ? data : undefined);
  return http.get(api.klines, params, read, options);
}
