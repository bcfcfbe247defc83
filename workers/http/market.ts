import type { KlineParams } from '#domain/api/market';
import { type ListedInstrument, readInstruments } from '#domain/api/read-market';
import type { Result } from '#domain/core/result';
import { instrumentList, klines } from '#domain/market/endpoints';
import type { CallOptions } from './call';
import type { Http } from './client';

type Options = Pick<CallOptions, 'signal' | 'initial' | 'quiet' | 'timeoutMs'>;

/** The instrument list (protocol.md#instrument-list). `raw`: the rows as they came, for the storage. */
export function tradeList(
  http: Http,
  options: Options,
): Promise<Result<{ raw: unknown; rows: ListedInstrument[] }>> {
  const read = (data: unknown) => {
    const rows = readInstruments(data);
    return rows && { raw: data, rows };
  };
  return http.call(instrumentList, {}, read, options);
}

/** A page of bars (protocol.md#klines). The rows are read by the caller, straight into typed arrays. */
export function kline(
  http: Http,
  params: KlineParams,
  options: Options,
): Promise<Result<unknown[]>> {
  const read = (data: unknown) => (Array.isArray(data) ? data : undefined);
  return http.call(klines, params, read, options);
}
