import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { bootstrap, type Estimate, estimate, quantileOf } from '../../lib/statistics';
import type { Sample } from './sample';
import { MAIN, nameOf, type Workload } from './workload';

/** One run, or why there is no sample of it. */
export interface Run {
  section: string;
  contender: string;
  workload: Workload;
  round: number;
  sample?: Sample;
  failure?: string;
}

export interface Results {
  /** Of the machine and of what ran on it. */
  about: Record<string, string | number>;
  /** Gzipped bytes of the JavaScript of each contender: its page's thread and its workers. */
  bytes: Record<string, { page: number; worker: number }>;
  runs: Run[];
}

/** Three significant digits say more than any sample knows. */
function round(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(4))
    : value;
}

/** Written after each run, so that a crash loses one: a run a line. */
export function save(file: string, results: Results): void {
  const { runs, ...head } = results;
  const lines = runs.map((run) => JSON.stringify(run, round));
  const begin = JSON.stringify(head, round).slice(0, -1);
  writeFileSync(file, `${begin},"runs":[\n${lines.join(',\n')}\n]}\n`);
}

export function load(file: string): Results | undefined {
  if (!existsSync(file)) return undefined;
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  // What an older file doesn't say was as it is at the main point.
  const runs = results.runs.map((run) => ({ ...run, workload: { ...MAIN, ...run.workload } }));
  return { ...results, runs };
}

type Value = (sample: Sample) => number | undefined;

/** The samples of a contender at a workload, by section and round. */
export function samplesOf(
  { runs }: Results,
  workload: Workload,
  contender: string,
): Map<string, Sample> {
  const wanted = nameOf(workload);
  return new Map(
    runs.flatMap((run) =>
      run.sample && run.contender === contender && nameOf(run.workload) === wanted
        ? [[`${run.section} ${run.round}`, run.sample] as const]
        : [],
    ),
  );
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

/** A quantile of a list that each sample has, of all samples together; the interval is over samples. */
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
  const statistic = (some: readonly (readonly number[])[]) => quantileOf(some.flat(), share);
  return { median: statistic(lists), ...bootstrap(lists, statistic), count: lists.length };
}

/**
 * One contender over another, above what a third needs for nothing, each
 * within a round: a slow minute of the machine falls on all of a round.
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
