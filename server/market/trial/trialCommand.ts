import { DAY_MS, startOfStep, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { PlausibilityLimits, PricePoint } from '#domain/market/plausibility';
import type { Config } from '../../config/config';
import { getOrInsert } from '../../core/getOrInsert';
import { priceLimits } from '../priceLimits';
import { readRows } from '../replay/csvRows';
import { readText } from '../replay/file';
import { replaySource } from '../replay/sample';
import { simulatedPrices } from './simulatedPrices';
import { LimitTrial, type Trial } from './trial';

/** Where no seed is given: equal tables every time. */
const SEED = '1';

/**
 * The command `try-limits`: prints what the limits `--price-…` do to a recording (`--replay`), or else to the simulated market of
 * the day before `now`, and to wrong prices planted in it.
 */
export async function runTrial(
  config: Config,
  now: UnixMs,
  print: (line: string) => void,
): Promise<void> {
  const seed = config.seed || SEED;
  const { instruments, ticksPerSecond, replay } = config;
  const today = startOfStep(now, toDurationMs(DAY_MS));
  const simulated = { seed, instruments, ticksPerSecond, day: toUnixMs(today - DAY_MS) };
  const prices = replay ? recordedPrices(replay, print) : simulatedPrices(simulated);
  const trials = await tryLimits(prices, priceLimits(config), seed);
  for (const line of trialTable(trials)) print(line);
}

/** Judges prices, those of each instrument in order. */
export async function tryLimits(
  prices:
    | Iterable<{ code: string; point: PricePoint }>
    | AsyncIterable<{ code: string; point: PricePoint }>,
  limits: PlausibilityLimits,
  seed: string,
): Promise<Trial[]> {
  const trials = new Map<string, LimitTrial>();
  for await (const { code, point } of prices) {
    getOrInsert(trials, code, () => new LimitTrial(code, limits, seed)).add(point);
  }
  return [...trials.values()].map(({ result }) => result);
}

/** The prices of a recording; its lines of whole minutes are left out. */
export async function* recordedPrices(
  replay: string,
  print: (line: string) => void,
): AsyncGenerator<{ code: string; point: PricePoint }> {
  const { file } = replaySource(replay);
  const report = (line: number, reason: string) => print(`${file}, line ${line}: ${reason}`);
  for await (const rows of readRows(readText(file), { line: 0, byte: 0 }, report)) {
    for (const { code, price, ask, time, bar } of rows) {
      if (price <= 0 || bar) continue;
      yield { code, point: { price, time, bid: ask && price, ask } };
    }
  }
}

const COLUMNS = [
  '',
  'prices',
  'jump',
  'spread',
  'silence',
  'most a day',
  'dropped',
  'wrong',
  'caught',
];

function trialTable(trials: readonly Trial[]): string[] {
  const sum = (pick: (trial: Trial) => number) => trials.reduce((all, each) => all + pick(each), 0);
  const rows = trials.map((trial) => rowOf(trial));
  const total = [
    'all',
    sum(({ prices }) => prices),
    ...(['jump', 'spread', 'silence'] as const).map((doubt) =>
      sum(({ halts }) => halts[doubt] ?? 0),
    ),
    Math.max(0, ...trials.map(({ mostOfDay }) => mostOfDay)),
    sum(({ dropped }) => dropped),
    sum(({ planted }) => planted),
    sum(({ caught }) => caught),
  ];
  const cells = [COLUMNS, ...rows, total].map((row) => row.map(String));
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  '),
  );
}

function rowOf({ code, prices, halts, mostOfDay, dropped, planted, caught }: Trial) {
  const { jump = 0, spread = 0, silence = 0 } = halts;
  return [code, prices, jump, spread, silence, mostOfDay, dropped, planted, caught];
}
