import type { KlineRow } from '#domain/api/market';
import type { Bar } from '#domain/market/kline';

/** The row of a bar as the server sends it. */
export function klineRow({ time, open, high, low, close, volume }: Bar): KlineRow {
  return {
    Time: time,
    Open: `${open}`,
    High: `${high}`,
    Low: `${low}`,
    Close: `${close}`,
    Volume: `${volume}`,
  };
}
