import { writeFileSync } from 'node:fs';

const HOURS = 4;
/** Points above and below the trend, one second each. */
const WAVE = [0, 2, 4, 2, 0, -2, -4, -2];

/** Writes a recording whose EUR/USD changes every second and rises a point in ten. */
export function writeRisingMarket(file: string): void {
  const start = Date.UTC(2014, 4, 7);
  const lines = Array.from({ length: HOURS * 3600 }, (_, second) => {
    const points = 139_000 + Math.floor(second / 10) + (WAVE[second % WAVE.length] ?? 0);
    const bid = (points / 100_000).toFixed(5);
    const ask = ((points + 10) / 100_000).toFixed(5);
    return `${start + second * 1000},EURUSD,${bid},${ask}`;
  });
  writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
}

/** That recording, which usedData.ts has written. */
export function risingMarket(): string {
  return process.env['FULCRUM_RISING_MARKET'] ?? '';
}
