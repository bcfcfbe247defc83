import { estimate } from '../../lib/statistics';
import type { LoadResult, Pair, Sample, Scenario } from '../../load/sample';
import { interval, table } from './table';

type Figure = readonly [string, (sample: Sample) => number | undefined];

const CORES: Figure = ['share of one core', ({ cores }) => cores];
const MEMORY: Figure = ['memory MB', ({ memoryMb }) => memoryMb];
const START: Figure = ['start ms', ({ startMs }) => startMs];
const QUOTES: readonly Figure[] = [
  CORES,
  ['CPU a message µs', ({ cpuPerMessage }) => cpuPerMessage],
  ['bytes a message', ({ bytesPerMessage }) => bytesPerMessage],
  ['messages a second', ({ messagesPerSecond }) => messagesPerSecond],
  ['age p99 ms', ({ age }) => age?.p99],
  MEMORY,
  START,
];
const ORDERS: readonly Figure[] = [
  ['orders a second', ({ perSecond }) => perSecond],
  ['CPU an order ms', ({ cpuPerOrder }) => cpuPerOrder],
  ['answer p95 ms', ({ latency }) => latency?.p95],
  CORES,
  MEMORY,
  START,
];

const SECTIONS: readonly {
  scenario: Scenario;
  title: string;
  figures: readonly Figure[];
  note?: string;
  /** Whose earlier server it is compared with, where it has none of its own. */
  beside?: Scenario;
}[] = [
  {
    scenario: 'quotes',
    title:
      'Quotes: 4,000 sockets of 20 codes every 250 ms, 1,000 instruments, 5,000 ticks a second',
    figures: QUOTES,
    note: 'Goal: at most 0.42 of the earlier CPU a message, which is 0.25 instead of 0.60 core where the goal was set. A machine that is slower than that one misses the share of a core and can still reach the ratio.',
  },
  {
    scenario: 'compact',
    title: 'The same in compact rows',
    figures: QUOTES,
    note: 'The earlier server sends JSON: it does not know compact rows.',
    beside: 'quotes',
  },
  {
    scenario: 'embedded',
    title: 'Orders of 16 users on the embedded database',
    figures: ORDERS,
    note: 'Goal: at least 3.9 times as many orders a second, which is 600 instead of 155 where the goal was set.',
  },
  {
    scenario: 'postgres',
    title: 'Orders of 16 users on PostgreSQL',
    figures: ORDERS,
    note: 'Goal: at least 4.6 times as many orders a second, which is 1,500 instead of 328 where the goal was set. PostgreSQL runs on the same machine and does not sync to the disk; its own CPU and memory are not in it.',
  },
  {
    scenario: 'many',
    title: 'Start and rest: 3,000 instruments, 1,000 ticks a second, no users',
    figures: [START, MEMORY, CORES],
  },
];

/** Servers under load. */
export function load({ machine, at, clock, seconds, before, rounds }: LoadResult): string {
  const weekday = new Date(clock).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const missing = before.missing && `No pair with ${before.commit}: ${before.missing}.`;
  const parts = [
    '## The server under load',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}; ${at.slice(0, 10)}; ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'} of ${seconds} s each.
Each server is a process of its own with a new database and the seed 1; its users are on the same machine. Its clock is set to
${weekday}, ${clock.slice(11, 16)} UTC at any time of running: all markets but Asia's exchanges are open. CPU and memory are those of the server's process.
Orders are counted for twice as long, after a warm-up that takes as long again.
In a round both servers run right after each other in random order; a ratio is now over ${before.commit}, of the same round.`,
    ...(missing ? [missing] : []),
  ];
  for (const { scenario, title, figures, note, beside = scenario } of SECTIONS) {
    const pairs = rounds.flatMap((round): Pair[] => {
      const after = round[scenario]?.after;
      const earlier = round[beside]?.before;
      return after ? [{ after, ...(earlier && { before: earlier }) }] : [];
    });
    if (pairs.length === 0) continue;
    const paired = pairs.some((pair) => pair.before);
    const found = (value: (pair: Pair) => number | undefined) =>
      interval(estimate(pairs.map((pair) => value(pair) ?? Number.NaN)));
    const rows = figures.map(([name, of]) => {
      const now = found(({ after }) => of(after));
      if (!paired) return [name, now];
      const then = (pair: Pair) => (pair.before ? of(pair.before) : undefined) ?? Number.NaN;
      return [name, now, found(then), found((pair) => (of(pair.after) ?? Number.NaN) / then(pair))];
    });
    const head = paired ? ['', 'now', before.commit, 'ratio'] : ['', 'now'];
    const failed = (side: keyof Pair) =>
      pairs.reduce(
        (sum, { [side]: sample }) => sum + (sample?.lost ?? 0) + (sample?.refused ?? 0),
        0,
      );
    parts.push(`### ${title}`, ...(note ? [note] : []), table(head, rows));
    const [ours, theirs] = [failed('after'), beside === scenario ? failed('before') : 0];
    if (ours + theirs > 0) {
      const whose = paired ? `, now; ${theirs} at ${before.commit}` : '';
      parts.push(`Sockets that were lost and orders that were refused: ${ours}${whose}.`);
    }
  }
  return parts.join('\n\n');
}
