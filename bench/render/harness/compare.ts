import { nameOf, type Workload } from '#domain/workload/workload';
import { FEWEST, medianOf, quantileOf, ratioOfMedians } from '../../lib/statistics';
import type { Results } from './results';
import { samplesOf } from './results';
import type { Sample } from './sample';

const MEASURES: Record<string, (sample: Sample) => number | undefined> = {
  'page CPU': ({ cpu }) => cpu.react,
  'worker CPU': ({ cpu }) => cpu.worker,
  'whole CPU': ({ cpu }) => cpu.whole,
  'first quote': ({ firstQuote }) => firstQuote,
  'dropped frames a second': ({ frames }) => frames && frames.dropped / frames.seconds,
  'worker heap': ({ memory }) => memory.worker,
  'age p50': ({ ages }) => (ages.length > 0 ? medianOf(ages) : undefined),
  'frame p95': ({ frames }) => frames && quantileOf(frames.intervals, 0.95),
};

/** Prints new divided by old for each contender and workload in both files. */
export function compare(before: Results, after: Results): void {
  const workloads = new Map<string, Workload>();
  for (const { workload } of after.runs) workloads.set(nameOf(workload), workload);
  const names = new Set(after.runs.map(({ contender }) => contender));
  const rows = [];
  for (const [workload, value] of workloads) {
    for (const contender of names) {
      const old = [...samplesOf(before, value, contender).values()];
      const next = [...samplesOf(after, value, contender).values()];
      for (const [measure, read] of Object.entries(MEASURES)) {
        const row = change(
          old.map((sample) => read(sample) ?? Number.NaN),
          next.map((sample) => read(sample) ?? Number.NaN),
        );
        if (row) rows.push({ workload, contender, measure, ...row });
      }
    }
  }
  console.table(rows);
}

/** The runs were not simultaneous, so nothing is paired. */
function change(old: readonly number[], next: readonly number[]) {
  const [before, after] = [old.filter(Number.isFinite), next.filter(Number.isFinite)];
  const { median: ratio, low, high } = ratioOfMedians(after, before);
  if (!Number.isFinite(ratio)) return undefined;
  const text = (value: number) => value.toFixed(2);
  const samples = Math.min(before.length, after.length);
  return {
    ratio: text(ratio),
    interval: `${text(low)} to ${text(high)}`,
    samples,
    verdict: verdict(low, high, samples),
  };
}

function verdict(low: number, high: number, samples: number): string {
  if (samples < FEWEST) return 'no claim';
  if (low > 1) return 'more';
  return high < 1 ? 'less' : 'no claim';
}
