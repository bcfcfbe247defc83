import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toDurationMs } from '#domain/core/time';
import type { ReplayOptions } from './replayMarket';

const HOUR_MS = toDurationMs(3_600_000);

/** Beside this file in the sources and in the bundle (dist/server/sample). */
const ticks = join(dirname(fileURLToPath(import.meta.url)), 'sample/oanda-2014-05-07-ticks.csv.gz');

/**
 * The source that `--replay` names: a file, or `sample`, the recorded day in this repository. The
 * sample starts at noon, with the morning's bars on the chart, and repeats every midnight.
 */
export function replaySource(
  name: string,
): Pick<ReplayOptions, 'file' | 'historyMs' | 'repeatEveryMs'> {
  return name === 'sample'
    ? { file: ticks, historyMs: 12 * HOUR_MS, repeatEveryMs: 24 * HOUR_MS }
    : { file: name };
}
