import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { toUnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';

const folder = new URL('../../server/market/replay/sample/', import.meta.url);

/** The file of a recorded day of a real broker; its README names the source. */
export const recordedTicks = fileURLToPath(new URL('oanda-2014-05-07-ticks.csv.gz', folder));

export const recordedCodes = ['EURUSD', 'NZDUSD'] as const;

const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

/** Every quote of the day, in order; the bid as it was published. */
export function recordedQuotes(): { time: number; code: string; bid: string }[] {
  return rowsOf(gunzipSync(readFileSync(recordedTicks)).toString()).map(
    ([time, code = '', bid = '']) => ({ time: Number(time), code, bid }),
  );
}

/** The broker's own one-minute bars of a code, without volumes, oldest first. */
export function brokerBars(code: string): Omit<Bar, 'volume'>[] {
  return rowsOf(readFileSync(new URL('oanda-2014-05-07-1min.csv', folder), 'utf8'))
    .filter(([name]) => name === code)
    .map(([, time, open, high, low, close]) => ({
      time: toUnixSeconds(Number(time)),
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
    }));
}
