import { TICKET, TRADE } from '#domain/workload/devicePlan';
import { MAIN, type Workload } from '#domain/workload/workload';
import { type Estimate, estimate, FEWEST, quantileOf } from '../../lib/statistics';
import type { Memory } from '../harness/memory';
import {
  FEW,
  GROWN,
  HALF,
  HEAP_POINTS,
  HOUR,
  IDLE,
  INCREASED,
  QUARTER,
  STARTS,
  UNSEEN,
  WORKSPACE,
} from '../harness/plan';
import { measure, pooled, type Results, ratio, samplesOf } from '../harness/results';
import type { Sample } from '../harness/sample';

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
const longAMinute = ({ longFrames, watched }: Sample) =>
  ((longFrames?.length ?? Number.NaN) * 60) / watched;
const delay = ({ inputDelays }: Sample) => quantileOf(inputDelays, 0.95);

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
export function bytesEach(results: Results, name: string, part: 'page' | 'worker'): Estimate {
  const [many, few] = HEAP_POINTS;
  const slope = (more: Sample, less: Sample) =>
    (more.memory[part] - less.memory[part]) / (many.n - few.n);
  return paired(results, HEAP_POINTS, slope, [name, name]);
}

/** Growth of memory during the quotes of an hour and a half, after half an hour, percent. */
export function grownBy(results: Results, part: keyof Memory): Estimate {
  return measure(
    results,
    HOUR,
    'app',
    ({ memory, memoryBefore }) =>
      ((memory[part] ?? Number.NaN) / (memoryBefore?.[part] ?? Number.NaN) - 1) * 100,
  );
}

/** Main thread, µs for each quote of an instrument that is not visible. */
export function unseenCost(results: Results, name: string): Estimate {
  const [many, few] = UNSEEN;
  const more = (with_: Sample, without: Sample) =>
    ((with_.cpu.react - without.cpu.react) * 1000) / (many.rate - few.rate);
  return paired(results, UNSEEN, more, [name, name]);
}

/** Goals of the table, what a cheap phone feels first. */
export function goals(results: Results): Goal[] {
  return [...phone(results), ...list(results), ...workspace(results), ...sizes(results)].filter(
    ({ found }) => Number.isFinite(found.median),
  );
}

function phone(results: Results): Goal[] {
  const firstQuote = (start: Workload, where: string): Goal => ({
    what: `first live quote painted, ${where}, against REF`,
    limit: 1.2,
    unit: '×',
    found: ratio(results, start, ['app', 'REF'], (sample) => sample.firstQuote),
  });
  const fling = (workload: Workload, where: string): Goal[] => [
    {
      what: `a fling and a tap a second, ${where}: long animation frames a minute`,
      limit: 3,
      unit: '',
      found: measure(results, workload, 'app', longAMinute),
    },
    {
      what: `flings and taps, ${where}: input delay p95, against REF`,
      limit: 1.2,
      unit: '×',
      found: ratio(results, workload, ['app', 'REF'], delay),
    },
  ];
  const trade = (what: string, value: (sample: Sample) => number): Goal => ({
    what: `trade screen against REF trade, ${what}`,
    limit: 1.2,
    unit: '×',
    found: ratio(results, TRADE, ['app, chart', 'REF trade'], value),
  });
  const used = (what: string, value: (sample: Sample) => number): Goal => ({
    what: `trade screen with three indicators and ten drawings against without, ${what}`,
    limit: 1.3,
    unit: '×',
    found: ratio(results, TRADE, ['app, used chart', 'app, chart'], value),
  });
  const ticket = (what: string, value: (sample: Sample) => number): Goal => ({
    what: `order form typed in against REF form, ${what}`,
    limit: 1.2,
    unit: '×',
    found: ratio(results, TICKET, ['app, ticket', 'REF form'], value),
  });
  const [start, slowStart] = STARTS;
  return [
    firstQuote(slowStart, 'a quarter of a core'),
    firstQuote(start, 'a whole core'),
    ...fling(HALF, 'half a core'),
    ...fling(QUARTER, 'a quarter of a core'),
    trade('page thread', react),
    trade('whole browser', whole),
    used('page thread', react),
    used('whole browser', whole),
    ticket('page thread', react),
    ticket('whole browser', whole),
    {
      what: 'order form typed in: input delay p95',
      limit: 16,
      unit: 'ms',
      found: pooled(results, TICKET, 'app, ticket', 0.95, ({ inputDelays }) => inputDelays),
    },
  ];
}

function list(results: Results): Goal[] {
  const age = (what: string, limit: number, workload: Workload, share: number): Goal => ({
    ...{ what, limit, unit: 'ms' },
    found: pooled(results, workload, 'app', share, ({ ages }) => ages),
  });
  return [
    {
      what: 'list, page thread against REF',
      limit: 1.1,
      unit: '×',
      found: ratio(results, MAIN, ['app', 'REF'], react),
    },
    {
      what: 'list, whole browser against REF',
      limit: 1.1,
      unit: '×',
      found: ratio(results, MAIN, ['app', 'REF'], whole),
    },
    {
      what: 'growth, page thread: N 10,000 against N 20 at the same rate in sight',
      limit: 1.1,
      unit: '×',
      found: paired(results, INCREASED, (over, under) => react(over) / react(under)),
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
      limit: 1.25,
      unit: '×',
      found: ratio(results, MAIN, ['app', 'parse in worker'], ({ cpu }) => cpu.worker),
    },
    {
      what: 'page thread a quote that is not in sight: N 10,000, 4,990 a second of them against none, ten in sight in both',
      limit: 1,
      unit: 'µs',
      found: unseenCost(results, 'app'),
    },
    age('age of what is seen, p50', 32, MAIN, 0.5),
    age('age of what is seen, p99', 70, MAIN, 0.99),
    age('age with two quotes a second in sight, p50', 20, FEW, 0.5),
    {
      what: 'nothing changes: whole browser against REF',
      limit: 1.1,
      unit: '×',
      found: ratio(results, IDLE, ['app', 'REF'], whole),
    },
  ];
}

function workspace(results: Results): Goal[] {
  const against = (what: string, value: (sample: Sample) => number): Goal => ({
    what: `desktop, 60 rows and nine charts, against REF nine, ${what}`,
    limit: 1.2,
    unit: '×',
    found: ratio(results, WORKSPACE, ['app, nine', 'REF nine'], value),
  });
  return [
    against('page thread', react),
    against('whole browser', whole),
    {
      what: 'four windows against one with the same panels, bytes received',
      limit: 1.2,
      unit: '×',
      found: ratio(
        results,
        WORKSPACE,
        ['app, four windows', 'app, one window'],
        ({ traffic }) => traffic,
      ),
    },
  ];
}

/** Bytes of the heaps of page and worker for each chart more. */
export function bytesAChart(results: Results): Estimate {
  const all = ({ memory }: Sample) => memory.page + memory.worker;
  return paired(results, [WORKSPACE, WORKSPACE], (nine, one) => (all(nine) - all(one)) / 8, [
    'app, one window',
    'app, one chart',
  ]);
}

function sizes(results: Results): Goal[] {
  const { untilLive = Number.NaN } = results.bytes['app'] ?? {};
  return [
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
      what: "the page's process after the quotes of two hours between list and chart, against react-tanstack",
      limit: 1.2,
      unit: '×',
      found: ratio(results, HOUR, ['app', 'react-tanstack'], ({ memory }) => memory.process),
    },
    {
      what: "growth of the page's process after the first half hour of the two",
      limit: 2,
      unit: '% more',
      found: grownBy(results, 'process'),
    },
    {
      what: 'index.html and JavaScript until rows are live, gzip',
      limit: 30,
      unit: 'KB',
      found: estimate([untilLive / 1000]),
      exact: true,
    },
  ];
}

/** What the interval supports. */
export function verdict({ limit, found, exact }: Goal): string {
  if (found.count < FEWEST && !exact) return 'open';
  if (found.high <= limit) return 'reached';
  return found.low > limit ? 'not reached' : 'open';
}
