import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import { PERIODS, type Period } from '#domain/market/period';
import type { Db } from '../../../../server/db/database';
import { ReplayMarket, type ReplayOptions } from '../../../../server/market/replay/replayMarket';
import { dataDirectory } from '../../support/dataDirectory';
import { FakeClock } from '../../support/fakeClock';
import { RecordingListener, RecordingLog } from '../recordingListener';

export interface Quote {
  time: number;
  code: string;
  bid: number | string;
}

/** 2014-05-07 00:00 UTC. */
export const MIDNIGHT = 1_399_420_800_000;

/** There until the process ends: its other test files have this module, too. */
const directory = dataDirectory();
let files = 0;

/** Writes a recorded feed whose content no other test has. */
export function record(quotes: readonly Quote[], { gzip = false } = {}): string {
  const lines = quotes.map(({ time, code, bid }) => `${time},${code},${bid},${9000 + files}`);
  return recordText(['time,code,bid,ask', ...lines].join('\n'), { gzip });
}

export function recordText(text: string, { gzip = false } = {}): string {
  files += 1;
  const file = join(directory, `${files}.csv`);
  writeFileSync(file, gzip ? gzipSync(text) : text);
  return file;
}

export interface Replay {
  market: ReplayMarket;
  clock: FakeClock;
  listener: RecordingListener;
  log: RecordingLog;
  /** Whether the file had been replayed completely before. */
  past: boolean;
}

export async function open(
  db: Db,
  options: Partial<ReplayOptions> & { file: string },
  clock = new FakeClock(toUnixMs(1_700_000_000_000)),
): Promise<Replay> {
  const log = new RecordingLog();
  const market = await ReplayMarket.open(
    { speed: 'max', wait: false, feeType: 'per-lot', ...options },
    db,
    clock,
    log,
  );
  const listener = new RecordingListener();
  market.listen(listener);
  const past = market.instruments.some(({ id }) => market.quote(id)?.marketOpen === false);
  return { market, clock, listener, log, past };
}

export async function until(done: () => boolean): Promise<void> {
  while (!done()) await turn();
}

/** Waits for the end of the file, unless it was reached before. */
export const ended = ({ listener, past }: Replay) =>
  until(() => past || listener.statusChanges.length > 0);

/** Advances the clock of a replay that also waits for files and a database. */
export const pass = ({ clock, listener }: Replay, ms: number) =>
  clock.advance(ms, () => clock.awaited || listener.statusChanges.length > 0);

export function idOf({ market }: Replay, code: string): number {
  const found = market.instruments.find((instrument) => instrument.code === code);
  if (!found) throw new Error(`no ${code}`);
  return found.id;
}

/** Folds quotes to bars in the simplest way. */
export function fold(quotes: readonly Quote[], code: string, period: Period): Bar[] {
  const bars = new Map<number, Bar>();
  for (const quote of quotes) {
    if (quote.code !== code) continue;
    const start = barStart(period, toUnixSeconds(quote.time / 1000));
    const bar = bars.get(start);
    if (bar) foldTick(bar, Number(quote.bid), 1);
    else bars.set(start, barFromTick(start, Number(quote.bid), 1));
  }
  return [...bars.values()].sort((a, b) => a.time - b.time);
}

/** All bars that a market serves, read page by page. */
export async function served({ market }: Replay, id: number, period: Period): Promise<Bar[]> {
  const bars: Bar[] = [];
  for (;;) {
    const page = await market.bars(id, period, 500, bars[0]?.time);
    if (page.length === 0) return bars;
    bars.unshift(...page);
  }
}

export async function expectBarsOf(replay: Replay, quotes: readonly Quote[]): Promise<void> {
  for (const { id, code } of replay.market.instruments) {
    for (const period of PERIODS) {
      expect(await served(replay, id, period)).toEqual(fold(quotes, code, period));
    }
  }
}
