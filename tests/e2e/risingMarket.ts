import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOURS = 4;
/** Points above and below the trend, one second each. */
const WAVE = [0, 2, 4, 2, 0, -2, -4, -2];

/**
 * A recording whose EUR/USD changes every second and rises a point in ten. Returns its file and a
 * function that removes it.
 */
export function risingMarket(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-feed-'));
  const file = join(folder, 'rising.csv');
  const start = Date.UTC(2014, 4, 7);
  const lines = Array.from({ length: HOURS * 3600 }, (_, second) => {
    const points = 139_000 + Math.floor(second / 10) + (WAVE[second % WAVE.length] ?? 0);
    const bid = (points / 100_000).toFixed(5);
    const ask = ((points + 10) / 100_000).toFixed(5);
    return `${start + second * 1000},EURUSD,${bid},${ask}`;
  });
  writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
