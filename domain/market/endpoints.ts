/**
 * How the calls of the hot path are sent. `api/market.ts` declares them; it is apart, because the worker has their
 * answers before it loads what declarations are made of, and reads them by hand.
 */

/** protocol.md#instrument-list. */
export const instrumentList = {
  method: 'GET',
  path: '/v1/api/forex/trade_list',
  access: 'public',
  effect: 'reads',
} as const;

/** protocol.md#klines. */
export const klines = {
  method: 'GET',
  path: '/v1/api/forex/kline',
  access: 'public',
  effect: 'reads',
} as const;
