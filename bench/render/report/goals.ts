import { type Estimate, estimate, FEWEST } from '../../lib/statistics';
import type { Memory } from '../harness/memory';
import {
  GROWN,
  HEAP_POINTS,
  HOUR,
  IDLE,
  QUARTER,
  SAME_IN_SIGHT,
  STARTS,
  UNSEEN,
} from '../harness/plan';
import { measure, pooled, type Results, ratio, samplesOf } from '../harness/results';
import type { Sample } from '../harness/sample';
import { MAIN, type Workload } from '../harness/workload';

/** A goal that this benchmark measures; the measured value must not exceed the limit. */
export interface Goal {
  what: string;
  limit: number;
  unit: string;
  found: Estimate;
  /** Counted and not measured: one sample is enough. */
  exact?: boolean;
}

const react = ({ cpu }: Sample) => cpu.react;
const whole = ({ cpu }: Sample) => cpu.whole;

/** Combines two samples of the same round: a slow minute of the machine affects both. */
function paired(
  results: Results,
  [one, other]: readonly [Workload, Workload],
  value: (one: Sample, other: Sample) => number,
  [name, peer] = ['app', 'app'],
): Estimate {
  const others = samplesOf(results, other, peer);
  return estimate(
    [...samplesOf(results, one, name)].flatMap(([round, sample]) => {
      const beside = others.get(round);
      return beside ? [value(sample, beside)] : [];
    }),
  );
}

/** Milliseconds between the floor's first painted live quote and the contender's. */
export function aboveFloor(results: Results, start: Workload, name: string): Estimate {
  const later = (one: Sample, floor: Sample) =>
    (one.firstQuote ?? Number.NaN) - (floor.firstQuote ?? Number.NaN);
  return paired(results, [start, start], later, [name, 'floor']);
}

/** Heap bytes for each additional instrument. */
export function bytesEach(results: Results, name: string, part: keyof Memory): Estimate {
  const [many, few] = HEAP_POINTS;
  const slope = (more: Sample, less: Sample) =>
    (more.memory[part] - less.memory[part]) / (many.n - few.n);
  return paired(results, HEAP_POINTS, slope, [name, name]);
}

/** Growth of a heap during the quotes of an hour, percent. */
export function grownBy(results: Results, part: keyof Memory): Estimate {
  return measure(
    results,
    HOUR,
    'app',
    ({ memory, memoryBefore }) => memoryBefore && (memory[part] / memoryBefore[part] - 1) * 100,
  );
}

/** Main thread, µs for each quote of an instrument that is not visible. */
export function unseenCost(results: Results, name: string): Estimate {
  const [many, few] = UNSEEN;
  const more = (with_: Sample, without: Sample) =>
    ((with_.cpu.react - without.cpu.react) * 1000) / (many.rate - few.rate);
  return paired(results, UNSEEN, more, [name, name]);
}

export function goals(results: Results): Goal[] {
  const [few] = SAME_IN_SIGHT;
  const many = SAME_IN_SIGHT.at(-1);
  const [start, slowStart] = STARTS;
  if (!few || !many || !start || !slowStart) return [];
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
  const dropped = ({ frames }: Sample) => (frames ? frames.dropped / frames.seconds : Number.NaN);
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
      found: paired(results, [many, few], (over, under) => react(over) / react(under)),
    },
    {
      what: 'growth, worker CPU a quote: N 10,000 against N 100, R 5,000',
      limit: 1.1,
      unit: '×',
      found: paired(
        results,
        GROWN,
        (over, under) => over.cpu.worker / over.quotes / (under.cpu.worker / under.quotes),
      ),
    },
    {
      what: 'worker CPU a quote against a worker that only receives and parses',
      limit: 1.1,
      unit: '×',
      found: ratio(results, MAIN, ['app', 'parse in worker'], ({ cpu }) => cpu.worker),
    },
    {
      what: 'page thread a quote that is not in sight: N 10,000, 4,990 a second of them against none, ten in sight in both',
      limit: 1,
      unit: 'µs',
      found: unseenCost(results, 'app'),
    },
    {
      what: 'age of what is seen, p99',
      limit: 75,
      unit: 'ms',
      found: pooled(results, MAIN, 'app', 0.99, ({ ages }) => ages),
    },
    {
      what: 'first live quote painted, after the floor',
      limit: 100,
      unit: 'ms',
      found: aboveFloor(results, start, 'app'),
    },
    {
      what: 'the same at a quarter of a core from the navigation on',
      limit: 400,
      unit: 'ms',
      found: aboveFloor(results, slowStart, 'app'),
    },
    {
      what: 'nothing changes: whole browser against a blank page',
      limit: 1.1,
      unit: '×',
      found: idle,
    },
    {
      what: 'quarter of a core, 60 s: dropped frames a second beyond REF',
      limit: 0,
      unit: '',
      found: paired(results, [QUARTER, QUARTER], (own, ref) => dropped(own) - dropped(ref), [
        'app',
        'REF',
      ]),
    },
    {
      what: 'quarter of a core, 60 s: long animation frames a minute',
      limit: 0,
      unit: '',
      found: measure(
        results,
        QUARTER,
        'app',
        ({ longFrames, watched }) => (longFrames.length * 60) / watched,
      ),
    },
    {
      what: 'quarter of a core, 60 s: input delay, p95',
      limit: 16,
      unit: 'ms',
      found: pooled(results, QUARTER, 'app', 0.95, ({ inputDelays }) => inputDelays),
    },
    {
      what: 'heap of the worker, an instrument',
      limit: 512,
      unit: 'bytes',
      found: bytesEach(results, 'app', 'worker'),
    },
    {
      what: 'heap of the page, an instrument out of sight: nothing, that is less than one number',
      limit: 8,
      unit: 'bytes',
      found: bytesEach(results, 'app', 'page'),
    },
    {
      what: "heap of the worker, an hour's worth of quotes",
      limit: 1,
      unit: '% more',
      found: grownBy(results, 'worker'),
    },
    {
      what: "heap of the page, an hour's worth of quotes",
      limit: 1,
      unit: '% more',
      found: grownBy(results, 'page'),
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

/** What the interval supports. */
export function verdict({ limit, found, exact }: Goal): string {
  if (found.count < FEWEST && !exact) return 'open';
  if (found.high <= limit) return 'reached';
  return found.low > limit ? 'not reached' : 'open';
}
