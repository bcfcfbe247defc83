// The standings of the contenders: what README, the page of results and the report say comes from here.

import { TRADE } from '#domain/workload/devicePlan';
import { MAIN, nameOf, type Workload } from '#domain/workload/workload';
import { type Estimate, FEWEST } from '../../lib/statistics';
import { CONTENDERS } from '../harness/contenders';
import { DECIDED } from '../harness/decided';
import { isAsMeasured } from '../harness/manifest';
import { AGAIN } from '../harness/plan';
import { measure, perFrame, pooled, type Results, ratio, unlike } from '../harness/results';
import type { Sample } from '../harness/sample';

export interface Standing {
  name: string;
  version: string;
  what: string;
  /** CPU beside the floor, in pairs of the same round. */
  page: Estimate;
  whole: Estimate;
  /** The sign of ratios, where it draws other numbers of frames than the floor. */
  unlike: string;
  /** Of the page thread for each frame that draws, ms. */
  frame: number;
  /** ms/s. */
  cost: number;
  /** Frames a second that draw. */
  drawn: number;
  /** Median age of a painted price, ms; NaN for a canvas. */
  age: number;
  /** JavaScript of the page and its workers, gzip KB. */
  kilobytes: number;
  verdict: Verdict;
  about?: { by: string; docs: string };
}

/** What the interval bears, and the noise of the same page twice: no word for what lies within it. */
export type Verdict = 'dearer' | 'cheaper' | 'equal' | 'undecided' | 'floor' | 'failed';

export interface Standings {
  floor: string;
  workload: Workload;
  /** The floor twice in each round. */
  noise: Estimate;
  rows: Standing[];
}

const react = ({ cpu }: Sample) => cpu.react;
const whole = ({ cpu }: Sample) => cpu.whole;

function verdictOf(found: Estimate, noise: Estimate): Verdict {
  if (found.count < FEWEST || noise.count < FEWEST) return 'undecided';
  if (found.low > noise.high) return 'dearer';
  if (found.high < noise.low) return 'cheaper';
  const narrow = found.high - found.low <= 2 * DECIDED * found.median;
  return narrow ? 'equal' : 'undecided';
}

function standingsAt(results: Results, workload: Workload, floor: string): Standings {
  const noise = ratio(results, workload, [floor + AGAIN, floor], whole);
  const ran = new Set(
    results.runs.filter((run) => run.workload.hand === 'still').map(({ contender }) => contender),
  );
  const rows = CONTENDERS.filter(
    (one) =>
      isAsMeasured(results, one) &&
      (one.about || ((one.selectors || one.screen) && one.width === undefined)) &&
      ran.has(one.name),
  ).flatMap(({ name, what, about }): Standing[] => {
    const pair = [name, floor] as const;
    const found = ratio(results, workload, pair, whole);
    const tried = results.runs.some(
      (run) => run.contender === name && nameOf(run.workload) === nameOf(workload),
    );
    if (found.count === 0 && !tried) return [];
    const bytes = results.bytes[name];
    const cost = measure(results, workload, name, whole);
    return [
      {
        name,
        version: results.versions?.[name] ?? '',
        what,
        page: ratio(results, workload, pair, react),
        whole: found,
        unlike: unlike(results, workload, pair),
        frame: measure(results, workload, name, perFrame).median,
        cost: cost.median,
        drawn: measure(results, workload, name, (sample) => sample.drawn).median,
        age: pooled(results, workload, name, 0.5, ({ ages }) => ages).median,
        kilobytes: ((bytes?.page ?? Number.NaN) + (bytes?.worker ?? 0)) / 1000,
        verdict: name === floor ? 'floor' : cost.count === 0 ? 'failed' : verdictOf(found, noise),
        ...(about && { about: { by: about.by, docs: about.docs } }),
      },
    ];
  });
  const orLast = (value: number) => (Number.isFinite(value) ? value : Number.POSITIVE_INFINITY);
  rows.sort((a, b) => orLast(a.whole.median) - orLast(b.whole.median));
  return { floor, workload, noise, rows };
}

/** Of the lists and of the charts. */
export function standings(results: Results): { lists: Standings; charts: Standings } {
  return {
    lists: standingsAt(results, MAIN, 'REF'),
    charts: standingsAt(results, TRADE, 'REF trade'),
  };
}
