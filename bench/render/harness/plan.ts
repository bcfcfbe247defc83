import { CONTENDERS } from './contenders';
import type { Timing } from './sample';
import { gathered, MAIN, type Workload } from './workload';

/** What is run together, round for round, in an order that chance decides. */
export interface Section {
  name: string;
  /** Of the time that there is. */
  share: number;
  /** May end within its first round. */
  partial?: boolean;
  /** Rounds that are enough. */
  most: number;
  timing: Timing;
  items: Item[];
}

export interface Item {
  contender: string;
  workload: Workload;
}

const FULL: Timing = { warmUp: 1.5, window: 5, look: 3 };
const SHORT: Timing = { warmUp: 1.5, window: 3.5, look: 0 };
const LONG: Timing = { warmUp: 2, window: 8, look: 14 };

const COUNTS = [20, 100, 500, 2000, 10_000];
const RATES = [50, 300, 1000, 5000];
const ROWS = [8, 20, 50];

/** One quote in two seconds for each instrument: what is in sight changes as often, however many there are. */
export const SAME_IN_SIGHT = COUNTS.map((n) => gathered({ n, rate: n / 2 }));
export const SAME_IN_ALL = COUNTS.map((n) => gathered({ n }));
/** Many instruments and few at the same rate in all. */
export const GROWN = [
  gathered({ n: 10_000, rate: 5000 }),
  gathered({ n: 100, rate: 5000 }),
] as const;
export const GRID = COUNTS.flatMap((n) =>
  RATES.flatMap((rate) => ROWS.map((rows) => gathered({ n, rate, rows }))),
);
export const IDLE: Workload = { ...MAIN, rate: 0 };
export const POINTS: readonly Workload[] = [
  { ...MAIN, perMessage: 1 },
  { ...MAIN, spread: 'zipf' },
  { ...MAIN, pace: 'burst' },
  gathered({ n: 10_000, rate: 5000 }),
  { ...MAIN, hand: 'fling' },
];
const WEAK = { ...MAIN, n: 500, hand: 'fling and tap' } as const;
/** The half and the quarter of a core. */
export const QUOTAS: readonly Workload[] = [0.5, 0.25].map((core) => ({ ...WEAK, core }));

const pairs = (contenders: readonly string[], workloads: readonly Workload[]) =>
  workloads.flatMap((workload) => contenders.map((contender) => ({ contender, workload })));

/** A contender run twice in a round: what differs is noise. */
export const AGAIN = ', again';

export function sections(length: 'smoke' | 'quick' | 'whole', hasQuota: boolean): Section[] {
  if (length === 'smoke') return [SMOKE];
  return length === 'quick' ? QUICK : wholePlan(hasQuota);
}

/** Twice the ends of the growth, and nothing but the app and its floor. */
const SMOKE: Section = {
  name: 'smoke',
  share: 1,
  most: 2,
  timing: { warmUp: 1, window: 2.5, look: 0 },
  items: [
    { contender: 'REF', workload: gathered({ n: 20, rate: 10 }) },
    { contender: 'app', workload: gathered({ n: 20, rate: 10 }) },
    { contender: 'app', workload: gathered({ n: 10_000, rate: 5000 }) },
  ],
};

/** What no peer has: the app's other live screens. The first instrument has an eighth of all quotes. */
export const CHART: Workload = { ...MAIN, spread: 'zipf' };
export const TICKET: Workload = { ...CHART, hand: 'typing' };

const QUICK: Section[] = [
  {
    name: 'main',
    share: 0.8,
    most: 7,
    timing: { warmUp: 1.5, window: 3, look: 2 },
    items: pairs(['app', 'REF', 'P1', 'P2', 'naive', 'receive', `app${AGAIN}`], [MAIN]),
  },
  {
    name: 'growth',
    share: 0.2,
    most: 3,
    timing: SHORT,
    items: pairs(['app'], [gathered({ n: 20, rate: 10 }), gathered({ n: 10_000, rate: 5000 })]),
  },
];

function wholePlan(hasQuota: boolean): Section[] {
  const both = ['app', 'REF'];
  const field = ['app', 'REF', 'P1', 'P2', 'naive', 'receive', 'parse in worker'];
  const others = CONTENDERS.filter(({ name, screen }) => !screen && !field.includes(name)).map(
    ({ name }) => name,
  );
  const quotas = ['half', 'quarter'].map(
    (part, index): Section => ({
      name: `${part} core`,
      share: part === 'half' ? 0.05 : 0.15,
      most: 9,
      timing: LONG,
      items: pairs(both, QUOTAS.slice(index, index + 1)),
    }),
  );
  return [
    {
      name: 'main',
      share: 0.28,
      most: 15,
      timing: FULL,
      items: pairs([...field, `app${AGAIN}`], [MAIN]),
    },
    {
      name: 'idle',
      share: 0.05,
      most: 9,
      timing: SHORT,
      items: pairs(['app', 'REF', 'blank'], [IDLE]),
    },
    {
      name: 'growth',
      share: 0.16,
      most: 9,
      timing: SHORT,
      items: [...pairs(both, SAME_IN_SIGHT), ...pairs(['app'], [GROWN[1]])],
    },
    ...(hasQuota ? quotas.reverse() : []),
    {
      name: 'others',
      share: 0.12,
      most: 5,
      timing: FULL,
      items: pairs(['app', ...others], [MAIN]),
    },
    {
      name: 'screens',
      share: 0.04,
      most: 5,
      timing: FULL,
      items: [...pairs(['app, chart'], [CHART]), ...pairs(['app, ticket'], [TICKET])],
    },
    {
      name: 'points',
      partial: true,
      share: 0.11,
      most: 3,
      timing: FULL,
      items: pairs(['app', 'REF', 'P1', 'P2', 'signal in JSX', 'Solid'], POINTS),
    },
    { name: 'grid', partial: true, share: 0.09, most: 3, timing: SHORT, items: pairs(both, GRID) },
  ];
}
