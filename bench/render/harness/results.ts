import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { MAIN, nameOf, type Workload } from '#domain/workload/workload';
import { bootstrap, type Estimate, estimate, quantileOfLists } from '../../lib/statistics';
import type { Sample } from './sample';
import { resultsSchema } from './schema';

/** One run, or why it gave no sample. */
export interface Run {
  section: string;
  contender: string;
  workload: Workload;
  round: number;
  /** Where they differ from the file's; samples of two commits or machines are never one figure. */
  commit?: string;
  cpu?: string;
  sample?: Sample;
  failure?: string;
}

/** Gzipped bytes of a contender's JavaScript. */
export interface Bytes {
  page: number;
  /** Of all its workers. */
  worker: number;
  /** What the app loads until its rows are live, on both sides. */
  untilLive?: number;
}

export interface Results {
  /** Description of the machine and of its load. */
  about: Record<string, string | number>;
  bytes: Record<string, Bytes>;
  /** Of the contenders' packages, as they ran. */
  versions?: Record<string, string>;
  /** Fingerprints of the contenders' own files, as they ran. */
  sources?: Record<string, string>;
  runs: Run[];
}

/** Three significant digits are more than the precision of any sample. */
function round(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(4))
    : value;
}

/** Saved after each run, one run a line, so that a crash loses at most one. */
export function save(file: string, results: Results | DeviceResults): void {
  const { runs, ...head } = results;
  const lines = runs.map((run) => JSON.stringify(run, round));
  const begin = JSON.stringify(head, round).slice(0, -1);
  writeFileSync(file, `${begin},"runs":[\n${lines.join(',\n')}\n]}\n`);
}

/** What a device does not tell. */
const UNTOLD = {
  cpu: {
    react: Number.NaN,
    worker: Number.NaN,
    compositor: Number.NaN,
    renderer: Number.NaN,
    display: Number.NaN,
    network: Number.NaN,
    browser: Number.NaN,
    whole: Number.NaN,
  },
  traffic: Number.NaN,
  quotes: Number.NaN,
  firstQuote: undefined,
  frames: undefined,
  memory: { page: Number.NaN, worker: Number.NaN },
};

export function load(file: string): Results | undefined {
  if (!existsSync(file)) return undefined;
  const parsed = v.safeParse(resultsSchema, JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new Error(`${file} is no file of results: ${v.getDotPath(issue)}: ${issue.message}`);
  }
  const results = parsed.output as unknown as Results;
  // Older files omit fields; then they have the value of the main workload.
  const runs = results.runs.map((run) => ({
    ...run,
    workload: { ...MAIN, ...run.workload },
    ...(run.sample && { sample: { ...UNTOLD, ...run.sample } }),
  }));
  return { ...results, runs };
}

type Value = (sample: Sample) => number | undefined;

/** Samples of a contender at a workload, of its newest run's commit and machine, by these, section and round. */
export function samplesOf(
  { about, runs }: Results,
  workload: Workload,
  contender: string,
): Map<string, Sample> {
  const wanted = nameOf(workload);
  const originOf = ({ commit = `${about['commit']}`, cpu = `${about['cpu']}` }: Run) =>
    `${commit} ${cpu}`;
  const found = runs.filter(
    (run) => run.sample && run.contender === contender && nameOf(run.workload) === wanted,
  );
  const last = found.at(-1);
  const origin = last && originOf(last);
  return new Map(
    found.flatMap((run) =>
      run.sample && originOf(run) === origin
        ? [[`${origin} ${run.section} ${run.round}`, run.sample] as const]
        : [],
    ),
  );
}

/** The screen of the app that was measured at a workload. */
export function appAt(results: Results, workload: Workload): string {
  const screens = ['app', 'app, chart', 'app, ticket', 'app, nine'];
  return screens.find((name) => samplesOf(results, workload, name).size > 0) ?? 'app';
}

export function measure(
  results: Results,
  workload: Workload,
  contender: string,
  value: Value,
): Estimate {
  const samples = [...samplesOf(results, workload, contender).values()];
  return estimate(samples.map((sample) => value(sample) ?? Number.NaN));
}

/** CPU of the page thread for each frame that draws, ms. */
export const perFrame: Value = ({ cpu, drawn }) => cpu.react / (drawn ?? Number.NaN);

/** Rates of drawn frames that differ by more make a ratio of CPU one of rates. */
const SAME_FRAMES = 0.2;

/** The sign of a ratio whose two sides draw different numbers of frames, and what it says below a table that has one. */
const UNLIKE = '\\*';
export const UNLIKE_SAYS = `${UNLIKE} One of the two draws over a fifth more or fewer frames: compare the page thread's ms a frame, too.`;

/** The sign, where the frames a second of two contenders differ by more than a fifth. */
export function unlike(
  results: Results,
  workload: Workload,
  [over, under]: readonly [string, string],
): string {
  const rate = (name: string) => measure(results, workload, name, ({ drawn }) => drawn).median;
  return Math.abs(rate(over) / rate(under) - 1) > SAME_FRAMES ? UNLIKE : '';
}

/**
 * A quantile of a list in each sample, over all samples together; the interval resamples samples.
 */
export function pooled(
  results: Results,
  workload: Workload,
  contender: string,
  share: number,
  list: (sample: Sample) => readonly number[],
): Estimate {
  const lists = [...samplesOf(results, workload, contender).values()]
    .map(list)
    .filter(({ length }) => length > 0);
  const statistic = quantileOfLists(lists, share);
  const all = lists.map((_, index) => index);
  return { median: statistic(all), ...bootstrap(all, statistic), count: lists.length };
}

/** What a contender costs more than a page that only receives, within each round. */
export function aboveReceiving(
  results: Results,
  workload: Workload,
  contender: string,
  value: Value,
): Estimate {
  const floors = samplesOf(results, workload, 'receive');
  const more = (sample: Sample, floor: Sample | undefined) =>
    (value(sample) ?? Number.NaN) - ((floor && value(floor)) ?? Number.NaN);
  return estimate(
    [...samplesOf(results, workload, contender)].map(([round, sample]) =>
      more(sample, floors.get(round)),
    ),
  );
}

/**
 * One contender divided by another within each round, after subtracting a baseline: a slow minute
 * of the machine affects a whole round.
 */
export function ratio(
  results: Results,
  workload: Workload,
  [over, under]: readonly [string, string],
  value: Value,
  above?: string,
): Estimate {
  const numerators = samplesOf(results, workload, over);
  const denominators = samplesOf(results, workload, under);
  const floors = above ? samplesOf(results, workload, above) : undefined;
  const found: number[] = [];
  for (const [round, numerator] of numerators) {
    const denominator = denominators.get(round);
    const floor = floors?.get(round);
    if (!denominator || (floors && !floor)) continue;
    const zero = floor ? (value(floor) ?? Number.NaN) : 0;
    found.push(
      ((value(numerator) ?? Number.NaN) - zero) / ((value(denominator) ?? Number.NaN) - zero),
    );
  }
  return estimate(found);
}
