import { TICKET, TRADE } from '#domain/workload/devicePlan';
import { MAIN, nameOf, type Workload } from '#domain/workload/workload';
import type { Machine } from '../../lib/measure';
import { estimate, powerLaw } from '../../lib/statistics';
import { CONTENDERS, type Contender, contender } from '../harness/contenders';
import { isAsMeasured } from '../harness/manifest';
import {
  AGAIN,
  HALF,
  HEAP_POINTS,
  HOUR,
  IDLE,
  QUARTER,
  SAME_IN_SIGHT,
  SCAN,
  STARTS,
  UNSEEN,
  WORKSPACE,
} from '../harness/plan';
import {
  appAt,
  measure,
  perFrame,
  pooled,
  type Results,
  ratio,
  samplesOf,
  UNLIKE_SAYS,
  unlike,
} from '../harness/results';
import type { Sample } from '../harness/sample';
import { aboveFloor, bytesAChart, bytesEach, goals, grownBy, unseenCost, verdict } from './goals';
import { figure, interval, table } from './table';

type Value = (sample: Sample) => number | undefined;

const react: Value = ({ cpu }) => cpu.react;
const worker: Value = ({ cpu }) => cpu.worker;
const whole: Value = ({ cpu }) => cpu.whole;

/** Columns of lists: a quantile over all samples. */
const POOLED: readonly [string, number, (sample: Sample) => readonly number[]][] = [
  ['age p50 ms', 0.5, ({ ages }) => ages],
  ['age p99 ms', 0.99, ({ ages }) => ages],
  ['input delay p95 ms', 0.95, ({ inputDelays }) => inputDelays],
];

/** Columns of a table of contenders at one workload; columns without a figure are omitted. */
const COLUMNS: readonly [string, Value][] = [
  ['page thread ms/s', react],
  ['worker ms/s', worker],
  ['whole browser ms/s', whole],
  ['drawing/s', ({ drawn }) => drawn],
  ['page thread ms/frame', perFrame],
  ['presented/s', ({ frames }) => frames && frames.presented / frames.seconds],
  ['dropped/s', ({ frames }) => frames && frames.dropped / frames.seconds],
  ['long frames/min', ({ longFrames = [], watched }) => (longFrames.length * 60) / watched],
  ['GC pauses/s', ({ frames }) => frames && frames.collections.length / frames.seconds],
  ['longest GC ms', ({ frames }) => frames && Math.max(0, ...frames.collections)],
  ['first quote ms', ({ firstQuote }) => firstQuote],
  ['heap page KB', ({ memory }) => memory.page / 1000],
  ['heap worker KB', ({ memory }) => memory.worker / 1000],
];

/**
 * Columns that mean nothing there: the start was not throttled.
 */
function hiddenOf({ core }: Workload): RegExp | undefined {
  return core < 1 ? /first quote/ : undefined;
}

/** Those with figures at a workload. */
function measuredAt(results: Results, workload: Workload): string[] {
  return CONTENDERS.filter(
    (one) => isAsMeasured(results, one) && samplesOf(results, workload, one.name).size > 0,
  ).map(({ name }) => name);
}

function contenders(results: Results, workload: Workload): string {
  const names = measuredAt(results, workload);
  const own = appAt(results, workload);
  const draws = ({ selectors, screen }: Contender) => selectors ?? screen;
  // A control draws nothing, so a ratio to it means nothing.
  const over = (name: string, value: Value) =>
    draws(contender(name)) && name !== own
      ? interval(ratio(results, workload, [own, name], value)) +
        unlike(results, workload, [own, name])
      : '–';
  const rows = names.map((name) => [
    name,
    over(name, react),
    over(name, whole),
    ...POOLED.map(([, share, list]) => figure(pooled(results, workload, name, share, list).median)),
    ...COLUMNS.map(([, value]) => figure(measure(results, workload, name, value).median)),
    `${samplesOf(results, workload, name).size}`,
  ]);
  const titles = [...POOLED, ...COLUMNS].map(([title]) => title);
  const head = ['', 'page thread, app over it', 'whole browser', ...titles, 'samples'];
  const hidden = hiddenOf(workload);
  const kept = head.map(
    (title, column) =>
      column === 0 || (!hidden?.test(title) && rows.some((row) => row[column] !== '–')),
  );
  const keep = (cells: readonly string[]) => cells.filter((_, column) => kept[column]);
  const marked = names.some((name) => unlike(results, workload, [own, name]));
  return [table(keep(head), rows.map(keep)), ...(marked ? [UNLIKE_SAYS] : [])].join('\n\n');
}

function points(results: Results, workloads: readonly Workload[]): string[] {
  const there = workloads.filter((workload) => measuredAt(results, workload).length > 0);
  return there.flatMap((workload) => [`**${nameOf(workload)}**`, contenders(results, workload)]);
}

function section(results: Results, title: string, workloads: readonly Workload[]): string[] {
  const tables = points(results, workloads);
  return tables.length === 0 ? [] : [`### ${title}`, ...tables];
}

function again(results: Results): string[] {
  const rows = ['app', 'REF'].flatMap((name) => {
    const of = (value: Value) => ratio(results, MAIN, [name + AGAIN, name], value);
    return of(react).count > 0 ? [[name, interval(of(react)), interval(of(whole))]] : [];
  });
  if (rows.length === 0) return [];
  return [
    'The same twice in each round (A/A) shows the noise:',
    table(['', 'page thread', 'whole browser'], rows),
  ];
}

function exponents(results: Results): string[] {
  const rows = ['app', 'REF'].flatMap((name) =>
    [['page thread', react] as const, ['worker', worker] as const].flatMap(([part, value]) => {
      const points = SAME_IN_SIGHT.map((workload) => ({
        x: workload.n,
        y: measure(results, workload, name, value).median,
      })).filter(({ y }) => y > 0);
      if (points.length < 3) return [];
      const rates = SAME_IN_SIGHT.map((workload) =>
        figure(measure(results, workload, name, value).median),
      );
      return [[`${name}, ${part}`, ...rates, powerLaw(points).exponent.toFixed(2)]];
    }),
  );
  if (rows.length === 0) return [];
  return [
    '### What N costs',
    'Ten quotes a second in sight, at the same times for all; N and R grow together. CPU in ms a second.',
    table(['', ...SAME_IN_SIGHT.map(({ n, rate }) => `N ${n}, R ${rate}`), 'exponent'], rows),
  ];
}

/** Cost on the main thread of quotes that the page need not know of. */
function unseen(results: Results): string[] {
  const [many, few] = UNSEEN;
  const rows = ['app', 'REF'].flatMap((name) => {
    const { count } = unseenCost(results, name);
    const thread = (workload: Workload) => figure(measure(results, workload, name, react).median);
    return count > 0
      ? [[name, thread(few), thread(many), interval(unseenCost(results, name)), `${count}`]]
      : [];
  });
  if (rows.length === 0) return [];
  return [
    `What quotes out of sight cost the page's thread: N ${many.n} in both, the same ten quotes a second in sight, and none or ${many.rate - few.rate} a
second of rows so far below that no page has made them.`,
    table(
      [
        '',
        'none, ms/s',
        `${many.rate - few.rate} a second, ms/s`,
        'µs a quote out of sight',
        'samples',
      ],
      rows,
    ),
  ];
}

function starts(results: Results): string[] {
  const rows = STARTS.flatMap((start) =>
    ['app', 'REF', 'floor'].flatMap((name) => {
      const of = (value: Value) => measure(results, start, name, value);
      const { count } = of(({ firstQuote }) => firstQuote);
      if (count === 0) return [];
      const spent = (part: 'react' | 'worker' | 'whole') =>
        figure(of(({ started }) => started?.[part]).median);
      return [
        [
          `${name}, ${start.core === 1 ? 'a core' : `${start.core} of a core`}`,
          interval(of(({ firstQuote }) => firstQuote)),
          name === 'floor' ? '–' : interval(aboveFloor(results, start, name)),
          spent('react'),
          spent('worker'),
          spent('whole'),
          `${count}`,
        ],
      ];
    }),
  );
  if (rows.length === 0) return [];
  return [
    '### The first live quote',
    `From the navigation of a fresh browser to the first painted price that the list did not hold; N ${STARTS[0].n}, R ${STARTS[0].rate}. The floor is a page that
does only what the protocol makes necessary, measured in the same rounds: document, one script, then the list over HTTP and
the websocket with its subscription at once, the rows in sight as bare text. It has no worker, no styles and no framework, but
parses what it receives. The network is the machine's own, without delay: a real one would add its round trips. CPU is that of
all threads until then, the navigation included.`,
    table(
      [
        '',
        'first quote ms',
        'after the floor ms',
        'page thread ms',
        'worker ms',
        'whole browser ms',
        'samples',
      ],
      rows,
    ),
  ];
}

function memory(results: Results): string[] {
  const [many, few] = HEAP_POINTS;
  const rows = ['app', 'REF'].flatMap((name) =>
    (['page', 'worker'] as const).flatMap((part) => {
      const each = bytesEach(results, name, part);
      const kilobytes = (workload: Workload) =>
        figure(measure(results, workload, name, (sample) => sample.memory[part] / 1000).median);
      return each.count > 0
        ? [[`${name}, ${part}`, kilobytes(few), kilobytes(many), interval(each), `${each.count}`]]
        : [];
    }),
  );
  const grown = (['page', 'worker', 'process'] as const).map(
    (part) => [part, grownBy(results, part)] as const,
  );
  const hour = grown.filter(([, { count }]) => count > 0);
  if (rows.length === 0 && hour.length === 0) return [];
  const parts = [
    '### Memory',
    'Heaps of the page and of its workers after collections, the least of five readings, with their array buffers and the objects of the document.',
  ];
  if (rows.length > 0) {
    const head = ['', `N ${few.n}, KB`, `N ${many.n}, KB`, 'bytes an instrument', 'samples'];
    parts.push(table(head, rows));
  }
  if (hour.length > 0) {
    parts.push(
      `The quotes that come in two hours at 50 a second, sent at ${HOUR.rate} a second, while the app goes from its list to a chart and back
each three seconds; since those of the first half hour. The engine keeps the code of the start, because discarding it would hide
growth. What grows with time and not with quotes is not in it. The process: its proportional set size.`,
      table(
        ['the app', '% more', 'samples'],
        hour.map(([part, found]) => [part, interval(found), `${found.count}`]),
      ),
    );
  }
  return parts;
}

function weak(results: Results): string[] {
  const held = section(results, 'The whole browser held to a share of one core', [HALF, QUARTER]);
  if (held.length === 0) return [];
  const minute = `At a quarter of a core a fling and a tap a second are measured for a minute; frames are traced throughout, and the CPU includes the tracing.`;
  return [...held, minute];
}

/** The workspace of nine charts beside its floor, and in several windows. */
function desktop(results: Results): string[] {
  const names = ['app, nine', 'REF nine'];
  const windows = ['app, one window', 'app, four windows', 'app, one chart'];
  const row = (name: string) => {
    const of = (value: Value) => interval(measure(results, WORKSPACE, name, value));
    return [
      name,
      of(react),
      of(worker),
      of(whole),
      of(({ traffic }) => traffic / 1000),
      of(({ memory }) => (memory.page + memory.worker) / 1e6),
      `${measure(results, WORKSPACE, name, whole).count}`,
    ];
  };
  const rows = [...names, ...windows]
    .filter((name) => measure(results, WORKSPACE, name, whole).count > 0)
    .map(row);
  if (rows.length === 0) return [];
  const chart = bytesAChart(results);
  return [
    '### The desktop: 60 rows and nine charts',
    `N ${WORKSPACE.n}, R ${WORKSPACE.rate}, of which each of the nine instruments on a chart gets ${WORKSPACE.first};
at the end each row in sight and the last bar of each chart show the stream's last values. *App, nine* and *REF nine* get all quotes. The others
get what they subscribe to, as from the server: in one page, in four windows with the same panels, and with one chart in place of nine. The page
thread and the worker of several windows are those of the main page, the whole browser is all of them.`,
    table(
      [
        '',
        'page thread ms/s',
        'worker ms/s',
        'whole browser ms/s',
        'received KB/s',
        'heaps of pages and workers MB',
        'samples',
      ],
      rows,
    ),
    ...(chart.count > 0
      ? [
          `A chart more takes ${interval({ ...chart, median: chart.median / 1e6, low: chart.low / 1e6, high: chart.high / 1e6 })} MB of these heaps.`,
        ]
      : []),
  ];
}

function failures({ runs }: Results): string[] {
  const failed = runs.filter(({ failure }) => failure);
  if (failed.length === 0) return [];
  return [
    '### Runs that failed',
    'Each was tried twice; none of them is in any figure above.',
    table(
      ['contender', 'workload', 'why'],
      failed.map(({ contender, workload, failure }) => [
        contender,
        nameOf(workload),
        (failure ?? '').replaceAll('|', '/').slice(0, 160),
      ]),
    ),
  ];
}

/** What was measured in the browser. */
export function render(results: Results): string {
  const { about, bytes, runs } = results;
  const samples = runs.flatMap(({ sample }) => (sample ? [sample] : []));
  const late = estimate(samples.map(({ feedLate }) => feedLate));
  const parts = [
    '## The list in a browser',
    `${about['cpu']}, ${about['cores']} cores, ${about['memoryGiB']} GiB, ${about['platform']}; ${about['browser']}, Node ${about['node']};
${String(about['at']).slice(0, 10)}; ${samples.length} samples. The feed's latest message of a run was ${figure(late.median)} ms late in the median run.`,
    `One seeded stream over a real websocket for everyone: N instruments, R quotes a second, V rows in sight; the same bytes,
boxes and styles. A fresh browser for each sample; rounds in random order; the feed on a core of its own. Every run ends with the
gate: each row in sight shows the stream's last value. CPU is the scheduler's account of threads, in ms a second, in a window in
which nothing else is observed; frames, ages and collections are observed afterwards. Age: from the sending of a quote
in sight until it, or a newer one of its row, is painted. Dropped: frames that should have shown a change and showed none.`,
    table(
      ['contender', 'what it is', 'JavaScript, gzip KB: page', 'worker'],
      CONTENDERS.map(({ name, what }) => [
        name,
        what,
        figure((bytes[name]?.page ?? Number.NaN) / 1000),
        figure((bytes[name]?.worker ?? Number.NaN) / 1000),
      ]),
    ),
    '### The goals',
    table(
      ['measure', 'goal', 'measured', 'samples', ''],
      goals(results).map((goal) => [
        goal.what,
        `≤ ${goal.limit} ${goal.unit}`.trim(),
        interval(goal.found),
        goal.exact ? 'exact' : `${goal.found.count}`,
        verdict(goal),
      ]),
    ),
    ...starts(results),
    ...weak(results),
    ...section(results, 'The trade screen, and the order form over it', [TRADE, TICKET]),
    ...desktop(results),
    ...section(results, 'The grid: 10,000 instruments, 60 rows in sight', [SCAN]),
    ...section(results, 'The list: the main point', [MAIN]),
    ...again(results),
    ...section(results, 'Nothing changes', [IDLE]),
    ...exponents(results),
    ...unseen(results),
    ...memory(results),
    ...failures(results),
  ];
  return parts.join('\n\n');
}

export interface ChartResult {
  machine: Machine;
  at: string;
  /** The contender whose CPU is 1. */
  reference: string;
  /** CPU in ms a second, by contender. */
  rounds: Record<string, Record<'react' | 'whole', number>>[];
}

/** CPU of a chart while its last bar moves. */
export function chart({ machine, at, reference, rounds }: ChartResult): string {
  const rows = Object.keys(rounds[0] ?? {}).map((name) => {
    const of = (part: 'react' | 'whole') =>
      rounds.map((round) => round[name]?.[part] ?? Number.NaN);
    const over = (part: 'react' | 'whole') =>
      estimate(rounds.map((round) => (round[name]?.[part] ?? 0) / (round[reference]?.[part] ?? 0)));
    return [
      name,
      figure(estimate(of('react')).median),
      interval(over('react')),
      figure(estimate(of('whole')).median),
      interval(over('whole')),
    ];
  });
  return [
    '## The chart, its last bar moving 60 times a second',
    `${machine.cpu}, Node ${machine.node}; ${at.slice(0, 10)}; ${rounds.length} rounds. Ratios to ${reference}. Ours is updated
20 times a second, as by its worker; the worker's own CPU is not in it.`,
    table(['', 'page thread ms/s', 'ratio', 'whole browser ms/s', 'ratio'], rows.sort()),
  ].join('\n\n');
}
