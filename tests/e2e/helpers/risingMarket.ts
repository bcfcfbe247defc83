import { writeFileSync } from 'node:fs';

/** At thirty times the speed, 24 minutes: the files of a worker share a replay, and a loaded machine is slow. */
const HOURS = 12;
/** Points above and below the trend, one second each. */
const WAVE = [0, 2, 4, 2, 0, -2, -4, -2];

/** Points of an instrument in a second of a recording. */
type Points = (second: number) => number;

function writeMarket(file: string, instruments: Record<string, Points>): void {
  const start = Date.UTC(2014, 4, 7);
  const lines = Array.from({ length: HOURS * 3600 }, (_, second) =>
    Object.entries(instruments).map(([code, pointsAt]) => {
      const points = 139_000 + pointsAt(second);
      const bid = (points / 100_000).toFixed(5);
      const ask = ((points + 10) / 100_000).toFixed(5);
      return `${start + second * 1000},${code},${bid},${ask}`;
    }),
  );
  writeFileSync(file, ['time,code,bid,ask', ...lines.flat(), ''].join('\n'));
}

/** Writes a recording whose EUR/USD changes every second and rises a point in ten. */
export function writeRisingMarket(file: string): void {
  const EURUSD: Points = (second) => Math.floor(second / 10) + (WAVE[second % WAVE.length] ?? 0);
  writeMarket(file, { EURUSD });
}

/** Writes a recording in which EUR/USD and GBP/USD take turns, every two minutes, in having risen more. */
export function writeCrossingMarket(file: string): void {
  const EURUSD: Points = (second) => Math.round(900 * Math.sin((second / 120) * Math.PI));
  writeMarket(file, { EURUSD, GBPUSD: (second) => -EURUSD(second) });
}

/** That recording, which usedData.ts has written. */
export function risingMarket(): string {
  return process.env['FULCRUM_RISING_MARKET'] ?? '';
}
