import { nameOf, type Workload } from '#domain/workload/workload';
import { FEWEST } from '../../lib/statistics';
import { BEFORE } from './plan';
import { type Results, ratio, samplesOf } from './results';
import type { Sample } from './sample';

/** A smaller growth is not worth a failure. */
const TOLERATED = 1.03;

/** The one figure of a point that is compared: the fewer intervals, the fewer fail by chance. */
function measureAt({
  phase,
}: Workload): [what: string, value: (sample: Sample) => number | undefined] {
  return phase === 'start'
    ? ['first quote', ({ firstQuote }) => firstQuote]
    : ['whole CPU', ({ cpu }) => cpu.whole];
}

/**
 * Prints the app divided by the app of the other commit, paired by round. Returns how many points
 * have grown by more than is tolerated, by the whole of their interval.
 */
export function guard(results: Results): number {
  const points = new Map<string, { contender: string; workload: Workload }>();
  for (const { contender, workload } of results.runs) {
    const base = contender.replace(BEFORE, '');
    points.set(`${base}, ${nameOf(workload)}`, { contender: base, workload });
  }
  const rows = [...points].map(([point, { contender, workload }]) => {
    const [measure, value] = measureAt(workload);
    const names = [contender, `${contender}${BEFORE}`] as const;
    const { median, low, high, count } = ratio(results, workload, names, value);
    const planned = samplesOf(results, workload, contender).size;
    const verdict =
      count < FEWEST ? 'no claim' : low > TOLERATED ? 'GROWN' : high < 1 ? 'less' : 'the same';
    return {
      point,
      measure,
      ratio: median.toFixed(2),
      interval: `${low.toFixed(2)} to ${high.toFixed(2)}`,
      pairs: `${count} of ${planned}`,
      verdict,
    };
  });
  console.table(rows);
  return rows.filter(({ verdict }) => verdict === 'GROWN').length;
}
