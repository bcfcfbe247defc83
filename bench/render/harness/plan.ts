import { TICKET, TRADE } from '#domain/workload/devicePlan';
import { gathered, MAIN, type Workload } from '#domain/workload/workload';
import { CONTENDERS } from './contenders';
import type { Timing } from './sample';

/** Runs that belong together, round by round in random order. */
export interface Section {
  name: string;
  /** Share of the available time. */
  share: number;
  /** Rounds that run even when the share is used up, as long as there is time. */
  least: number;
  /** Enough rounds. */
  most: number;
  /** Each contender is measured beside this one until their ratio is decided (decided.ts). */
  floor?: string;
  timing: Timing;
  items: Item[];
}

export interface Item {
  contender: string;
  workload: Workload;
}

/** Long enough for the calls after the first prices, by one of which the app learns of compact rows. */
const FULL: Timing = { warmUp: 4, window: 5, look: 3 };
const SHORT: Timing = { warmUp: 1.5, window: 3.5, look: 0 };
const LONG: Timing = { warmUp: 2, window: 8, look: 10 };
/** Long enough for everything that loads when the page is idle. */
const STILL: Timing = { warmUp: 4, window: 10, look: 0 };
const MINUTE: Timing = { warmUp: 2, window: 60, look: 0, traced: true };
const START: Timing = { warmUp: 0, window: 0.2, look: 0 };
const HEAPS: Timing = { warmUp: 5, window: 0.5, look: 0 };
/** The quotes of two hours at 50 a second, sent at `HOUR`'s rate; those of the first half hour before the window. */
const HOURLY: Timing = { warmUp: 18, window: 54, look: 0, heaps: true };

const COUNTS = [20, 100, 500, 2000, 10_000];

/**
 * One quote in two seconds for each instrument; visible rows get ten a second at the same times,
 * whatever the number of instruments.
 */
const sameInSight = (n: number) => gathered({ n, rate: n / 2, inSight: 10 });
export const SAME_IN_SIGHT = COUNTS.map(sameInSight);
/** Both ends of it. */
export const INCREASED = [sameInSight(10_000), sameInSight(20)] as const;
/** The same list and the same quotes in sight, with and without quotes of other instruments. */
export const UNSEEN = [
  gathered({ n: 10_000, rate: 5000, inSight: 10 }),
  gathered({ n: 10_000, rate: 10, inSight: 10 }),
] as const;
export const SAME_IN_ALL = COUNTS.map((n) => gathered({ n }));
/** Many and few instruments at the same total rate. */
export const GROWN = [
  gathered({ n: 10_000, rate: 5000 }),
  gathered({ n: 100, rate: 5000 }),
] as const;
export const IDLE: Workload = { ...MAIN, rate: 0 };
const WEAK = { ...MAIN, n: 500, hand: 'fling and tap' } as const;
/** Half a core and a quarter of a core. */
export const HALF: Workload = { ...WEAK, core: 0.5 };
export const QUARTER: Workload = { ...WEAK, core: 0.25 };
/** With a whole core, and with a quarter from the navigation on. */
export const STARTS = [
  { ...MAIN, core: 1, phase: 'start' },
  { ...MAIN, core: 0.25, phase: 'start' },
] as const satisfies Workload[];
export const HEAP_POINTS = [
  gathered({ n: 10_000, rate: 2000 }),
  gathered({ n: 100, rate: 2000 }),
] as const;
/** Between list and chart, there and back in three seconds. */
export const HOUR: Workload = { ...gathered({ rate: 5000 }), hand: 'walk' };
/** Two quotes a second in sight. */
export const FEW = gathered({ inSight: 2 });

const pairs = (contenders: readonly string[], workloads: readonly Workload[]) =>
  workloads.flatMap((workload) => contenders.map((contender) => ({ contender, workload })));

/** Suffix of a contender that runs twice in a round; the difference is noise. */
export const AGAIN = ', again';

/** Suffix of a contender that is the app as another commit built it. */
export const BEFORE = ', before';

export type Length = 'smoke' | 'quick' | 'guard' | 'whole';

export function sections(length: Length, hasQuota: boolean): Section[] {
  if (length === 'smoke') return [SMOKE, SMOKE_DESK];
  if (length === 'guard') return guardPlan(hasQuota);
  return length === 'quick' ? QUICK : wholePlan(hasQuota);
}

/** A grid of 10,000 instruments: each of the 60 rows in sight has a quote in a second. */
export const SCAN = gathered({ n: 10_000, rows: 60, inSight: 60 });

/** 60 rows, and nine charts that move. */
export const WORKSPACE: Workload = { ...MAIN, rows: 60, first: 20, firsts: 9 };

/** Both ends of the growth twice, only with the app and the floor. */
const SMOKE: Section = {
  name: 'smoke',
  share: 1,
  least: 1,
  most: 2,
  timing: { warmUp: 1, window: 2.5, look: 0 },
  items: [
    ...pairs(['REF', 'app'], SAME_IN_SIGHT.slice(0, 1)),
    ...pairs(['app'], SAME_IN_SIGHT.slice(-1)),
  ],
};

/** The desktop and its floor once: only their gates are of interest. */
const SMOKE_DESK: Section = {
  ...SMOKE,
  name: 'smoke, desktop',
  share: 0.1,
  most: 1,
  items: pairs(['REF nine', 'app, nine'], [WORKSPACE]),
};

/** Four windows and one with the same panels; one chart, for the memory of the others. */
const WINDOWS = ['app, one window', 'app, four windows', 'app, one chart'];

const QUICK: Section[] = [
  {
    name: 'main',
    share: 0.65,
    least: 1,
    most: 7,
    timing: { warmUp: 1.5, window: 3, look: 2 },
    items: pairs(['app', 'REF', 'react-tanstack', 'receive', `REF${AGAIN}`], [MAIN]),
  },
  {
    name: 'trade',
    share: 0.2,
    least: 1,
    most: 5,
    timing: SHORT,
    items: pairs(['app, chart', 'REF trade'], [TRADE]),
  },
  {
    name: 'growth',
    share: 0.15,
    least: 1,
    most: 3,
    timing: SHORT,
    items: pairs(['app'], [...SAME_IN_SIGHT.slice(0, 1), ...SAME_IN_SIGHT.slice(-1)]),
  },
  {
    name: 'desktop',
    share: 0.1,
    least: 0,
    most: 3,
    timing: SHORT,
    items: pairs(['app, nine', 'REF nine', 'receive'], [WORKSPACE]),
  },
  {
    name: 'windows',
    share: 0.1,
    least: 0,
    most: 3,
    timing: SHORT,
    items: pairs(WINDOWS, [WORKSPACE]),
  },
];

/** Seven points, each with the app and the app of another commit. */
function guardPlan(hasQuota: boolean): Section[] {
  const both = (contender: string, workload: Workload) =>
    pairs([contender, `${contender}${BEFORE}`], [workload]);
  const still = [
    both('app', MAIN),
    both('app', UNSEEN[0]),
    both('app, chart', TRADE),
    both('app, desktop', TRADE),
  ];
  const start: Section = {
    name: 'start',
    share: 0.2,
    least: 5,
    most: 9,
    timing: START,
    items: [...both('app', STARTS[0]), ...both('app, desktop', STARTS[0])],
  };
  const rest: Section = { ...start, name: 'guard', share: 0.6, timing: SHORT, items: still.flat() };
  const items = both('app', hasQuota ? HALF : WEAK);
  return [start, rest, { ...start, name: 'fling', timing: SHORT, items }];
}

function wholePlan(hasQuota: boolean): Section[] {
  const both = ['app', 'REF'];
  const of = (kind: 'list' | 'chart') =>
    CONTENDERS.filter(({ about }) => about?.kind === kind).map(({ name }) => name);
  const rated: Section[] = [
    {
      name: 'contenders',
      share: 0.3,
      least: 5,
      most: 60,
      floor: 'REF',
      timing: FULL,
      items: pairs([...both, `REF${AGAIN}`, 'receive', 'parse in worker', ...of('list')], [MAIN]),
    },
    {
      name: 'charts',
      share: 0.1,
      least: 5,
      most: 60,
      floor: 'REF trade',
      timing: FULL,
      items: pairs(['app, chart', 'REF trade', `REF trade${AGAIN}`, ...of('chart')], [TRADE]),
    },
    {
      name: 'few quotes',
      share: 0.02,
      least: 5,
      most: 9,
      timing: { ...FULL, window: 1, look: 6 },
      items: pairs(both, [FEW]),
    },
    {
      name: 'growth',
      share: 0.11,
      least: 5,
      most: 9,
      timing: SHORT,
      items: pairs(['app'], [...SAME_IN_SIGHT.slice(0, 1), ...UNSEEN, ...GROWN]),
    },
    {
      name: 'idle',
      share: 0.095,
      least: 5,
      most: 9,
      timing: STILL,
      items: pairs(['app', 'REF', 'blank'], [IDLE]),
    },
    {
      name: 'start',
      share: 0.055,
      least: 5,
      most: 9,
      timing: START,
      items: pairs([...both, 'floor'], hasQuota ? STARTS : STARTS.slice(0, 1)),
    },
    {
      name: 'trade',
      share: 0.08,
      least: 5,
      most: 9,
      timing: FULL,
      items: [
        ...pairs(['app, chart', 'app, used chart', 'REF trade'], [TRADE]),
        ...pairs(['app, ticket', 'REF form'], [TICKET]),
      ],
    },
    {
      name: 'desktop',
      share: 0.03,
      least: 5,
      most: 9,
      timing: FULL,
      items: pairs(['app, nine', 'REF nine', 'receive'], [WORKSPACE]),
    },
    {
      name: 'windows',
      share: 0.03,
      least: 5,
      most: 9,
      timing: SHORT,
      items: pairs(WINDOWS, [WORKSPACE]),
    },
    {
      name: 'scan',
      share: 0.03,
      least: 5,
      most: 9,
      timing: FULL,
      items: pairs(['app, grid', 'app, grid of indicators', 'receive'], [SCAN]),
    },
    {
      name: 'memory',
      share: 0.045,
      least: 3,
      most: 5,
      timing: HEAPS,
      items: pairs(both, HEAP_POINTS),
    },
    {
      name: 'hour',
      share: 0.14,
      least: 5,
      most: 5,
      timing: HOURLY,
      items: pairs(['app', 'react-tanstack'], [HOUR]),
    },
  ];
  const weak: Section[] = [
    {
      name: 'quarter core',
      share: 0.16,
      least: 3,
      most: 9,
      timing: MINUTE,
      items: pairs(both, [QUARTER]),
    },
    {
      name: 'half core',
      share: 0.07,
      least: 5,
      most: 9,
      timing: LONG,
      items: pairs(both, [HALF]),
    },
  ];
  const rest: Section[] = [
    {
      name: 'sweep',
      share: 0.035,
      least: 1,
      most: 5,
      timing: SHORT,
      items: [
        ...pairs(['REF'], [...SAME_IN_SIGHT, UNSEEN[1]]),
        ...pairs(['app'], SAME_IN_SIGHT.slice(1, -1)),
      ],
    },
  ];
  return [...rated, ...(hasQuota ? weak : []), ...rest];
}
