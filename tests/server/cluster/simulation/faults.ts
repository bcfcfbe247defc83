import type { SeededRandom } from '../../../workers/simulation/seededRandom';

/** What is done to the cluster; each lasts for a while, but for what is killed or broken at once. */
const EPISODES = [
  'message lost',
  'push lost',
  'request unanswered',
  'messages delayed',
  'process cut off',
  'connection broken',
  'NATS down',
  'feed killed',
  'feed paused',
  'feed without database',
  'standby killed',
  'gateway killed',
  'gateway paused',
  'engine killed',
  'engine paused',
  'engine without database',
] as const;
export type Fault = (typeof EPISODES)[number];

/** Faults of messages. */
export const ON_THE_WAY: ReadonlySet<Fault> = new Set([
  'message lost',
  'push lost',
  'request unanswered',
  'messages delayed',
]);

/** What every sample must have seen: the faults, and what only follows from several of them. */
export const HAPPENINGS: readonly string[] = [
  ...EPISODES,
  'messages overtake',
  'message into a broken connection',
  'batch of a stale epoch',
  'feed replaced',
  'engine replaced',
  'gap',
  'market closed',
  'fill',
  'fill refused',
  'push',
  'session ended',
  'phone cut',
];

export interface Episode {
  fault: Fault;
  /** Milliseconds since the beginning of the simulation. */
  from: number;
  until: number;
}

/** When the last fault ends, ms. */
export const HEALED_AT = 40_000;

/** A silent connection of this length breaks, ms: NATS gives its reader up. */
export const LONGEST_CUT_MS = 9_000;

/** How many faults a simulation has, least and most. */
export const MANY = [3, 8] as const;
/** Beside an upgrade. */
export const FEW = [0, 3] as const;

/** Draws some faults, overlapping or not. */
export function plan(random: SeededRandom, count: readonly [number, number]): Episode[] {
  return Array.from({ length: random.between(...count) }, () => {
    const from = random.between(1_000, HEALED_AT - 1_000);
    const until = Math.min(HEALED_AT, from + random.between(500, 14_000));
    return { fault: random.pick(EPISODES), from, until };
  });
}
