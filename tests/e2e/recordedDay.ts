import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Bar } from '#domain/market/kline';
import { recordedBars, recordedTicks } from './product';

/** The broker's own one-minute bars of a code, without volumes, oldest first. */
export function brokerBars(code: string): Omit<Bar, 'volume'>[] {
  return readFileSync(recordedBars, 'utf8')
    .split('\n')
    .map((line) => line.split(','))
    .filter(([name]) => name === code)
    .map(([, time, open, high, low, close]) => ({
      time: Number(time),
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
    }));
}

/** Every recorded bid of a code, as it is shown: five decimals. */
export function recordedBids(code: string): string[] {
  return gunzipSync(readFileSync(recordedTicks))
    .toString()
    .split('\n')
    .map((line) => line.split(','))
    .filter(([, name]) => name === code)
    .map(([, , bid]) => Number(bid).toFixed(5));
}

/** Whether all of `part` stands in `whole`, in its order. */
export function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const value of whole) if (next < part.length && value === part[next]) next++;
  return next === part.length;
}
