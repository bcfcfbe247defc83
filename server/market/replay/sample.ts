import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReplayOptions } from './replayMarket';

const HOUR_MS = 3_600_000;

/** Beside this file, both here and in the bundle (dist/server/sample). */
const ticks = join(dirname(fileURLToPath(import.meta.url)), 'sample/oanda-2014-05-07-ticks.csv.gz');

/**
 * What `--replay` names: a file, or `sample`, the recorded day in this repository. The sample
 * begins at noon, with the bars of the morning on the chart, and starts again each midnight.
 */
export function replaySource(
  name: string,
): Pick<ReplayOptions, 'file' | 'historyMs' | 'repeatEveryMs'> {
  return name === 'sample'
    ? { file: ticks, historyMs: 12 * HOUR_MS, repeatEveryMs: 24 * HOUR_MS }
    : { file: name };
}
