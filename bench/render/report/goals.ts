import { type Estimate, estimate, FEWEST } from '../../lib/statistics';
import { GROWN, IDLE, QUOTAS, SAME_IN_SIGHT } from '../harness/plan';
import { measure, pooled, type Results, ratio, samplesOf } from '../harness/results';
import type { Sample } from '../harness/sample';
import { MAIN, type Workload } from '../harness/workload';

/** A goal of issue 6 that this benchmark measures: the measured value must not be above the limit. */
export interface Goal {
  what: string;
  limit: number;
  unit: string;
  found: Estimate;
  /** Counted, not measured: one sample is all. */
  exact?: boolean;
}

const react = ({ cpu }: Sample) => cpu.react;
const whole = ({ cpu }: Sample) => cpu.whole;

/** One workload over another of the same contender, within a round. */
function growth(
  results: Results,
  [over, under]: readonly [Workload, Workload],
  value: (sample: Sample) => number,
): Estimate {
  const many = samplesOf(results, over, 'app');
  const few = samplesOf(results, under, 'app');
  return estimate(
    [...many].flatMap(([round, sample]) => {
      const other = few.get(round);
      return other ? [value(sample) / value(other)] : [];
    }),
  );
}

export function goals(results: Results): Goal[] {
  const [few] = SAME_IN_SIGHT;
  const many = SAME_IN_SIGHT.at(-1);
  const quarter = QUOTAS.at(-1);
  if (!few || !many || !quarter) return [];
  const against = (peer: string, limit: number): Goal => ({
    what: `page thread against ${peer}`,
    limit,
    unit: '×',
    found: ratio(results, MAIN, ['app', peer], react),
  });
  const above = (peer: string, limit: number): Goal => ({
    what: `whole browser above receiving, against ${peer}`,
    limit,
    unit: '×',
    found: ratio(results, MAIN, ['app', peer], whole, 'receive'),
  });
  const idle = ratio(results, IDLE, ['app', 'blank'], whole);
  const dropped = (name: string) =>
    [...samplesOf(results, quarter, name).values()].map(
      ({ frames }) => (frames?.dropped ?? Number.NaN) / (frames?.seconds ?? 1),
    );
  const own = dropped('app');
  const floor = dropped('REF');
  const unseen = many.rate - many.rows / 2;
  const perUnseen = estimate(
    [...samplesOf(results, many, 'app')].map(([round, sample]) => {
      const other = samplesOf(results, few, 'app').get(round);
      return other ? ((sample.cpu.react - other.cpu.react) * 1000) / unseen : Number.NaN;
    }),
  );
  return [
    against('REF', 1.15),
    against('P1', 0.75),
    against('P2', 0.15),
    against('naive', 0.04),
    above('REF', 1.1),
    above('P1', 0.85),
    above('P2', 0.25),
    {
      what: 'growth, page thread: N 10,000 against N 20 at the same rate in sight',
      limit: 1.1,
      unit: '×',
      found: growth(results, [many, few], react),
    },
    {
      what: 'growth, worker CPU a quote: N 10,000 against N 100, R 5,000',
      limit: 1.1,
      unit: '×',
      found: growth(results, GROWN, ({ cpu, quotes }) => cpu.worker / quotes),
    },
    {
      what: 'worker CPU a quote against a worker that only receives and parses',
      limit: 1.1,
      unit: '×',
      found: ratio(results, MAIN, ['app', 'parse in worker'], ({ cpu }) => cpu.worker),
    },
    { what: 'page thread a quote that is not in sight', limit: 1, unit: 'µs', found: perUnseen },
    {
      what: 'age of what is seen, p99',
      limit: 75,
      unit: 'ms',
      found: pooled(results, MAIN, 'app', 0.99, ({ ages }) => ages),
    },
    {
      what: 'nothing changes: whole browser against a blank page',
      limit: 1.1,
      unit: '×',
      found: idle,
    },
    {
      what: 'quarter of a core: dropped frames a second beyond REF',
      limit: 0,
      unit: '',
      found: estimate(own.map((value, round) => value - (floor[round] ?? Number.NaN))),
    },
    {
      what: 'quarter of a core: long animation frames a minute',
      limit: 0,
      unit: '',
      found: measure(
        results,
        quarter,
        'app',
        ({ longFrames, watched }) => (longFrames.length * 60) / watched,
      ),
    },
    {
      what: 'quarter of a core: input delay, p95',
      limit: 16,
      unit: 'ms',
      found: pooled(results, quarter, 'app', 0.95, ({ inputDelays }) => inputDelays),
    },
    {
      what: 'JavaScript of the page at the start, gzip',
      limit: 125,
      unit: 'KB',
      found: estimate([(results.bytes['app']?.page ?? Number.NaN) / 1000]),
      exact: true,
    },
    {
      what: 'JavaScript of the worker, gzip',
      limit: 45,
      unit: 'KB',
      found: estimate([(results.bytes['app']?.worker ?? Number.NaN) / 1000]),
      exact: true,
    },
  ].filter(({ found }) => Number.isFinite(found.median));
}

/** What the interval bears, and no more. */
export function verdict({ limit, found, exact }: Goal): string {
  if (found.count < FEWEST && !exact) return 'open';
  if (found.high <= limit) return 'reached';
  return found.low > limit ? 'not reached' : 'open';
}
