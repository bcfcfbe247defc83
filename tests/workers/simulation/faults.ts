import type { SeededRandom } from './seededRandom';

/** What browsers do to pages, and to what these have stored. */
export const PAGE_FAULTS = [
  'page hidden',
  'page frozen',
  'page kept for Back',
  'page discarded',
  'database silent',
  'database connections lost',
] as const;

/** All simulated faults; each lasts for a while. */
export const FAULTS = [
  // Of the socket.
  'socket closed',
  'link dead',
  'link dead downwards',
  'link dead upwards',
  'connection refused',
  'connection hangs',
  'messages stalled',
  'message twice',
  'old tick again',
  'garbage message',
  'given-up socket speaks',
  // Of HTTP.
  'request lost',
  'reply lost',
  'gateway error',
  'too many requests',
  'broken reply',
  'reply too late',
  'replies crosswise',
  // Of the server, the user and the machine.
  'server killed',
  'double tap',
  'machine asleep',
  'clock set',
  'offline',
  ...PAGE_FAULTS,
] as const;
export type Fault = (typeof FAULTS)[number];

/** Faults after which the worker has to reconnect. */
const LOSSES: readonly Fault[] = [
  'socket closed',
  'link dead',
  'connection refused',
  'connection hangs',
  'server killed',
  'offline',
];

export interface Episode {
  fault: Fault;
  /** Milliseconds since the beginning of the simulation. */
  from: number;
  until: number;
}

/** When the last fault ends and prices stop moving, ms. */
export const HEALED_AT = 45_000;

/** Draws some faults, overlapping or not. The last one is a loss of the connection until HEALED_AT. */
export function plan(random: SeededRandom): Episode[] {
  const draw = (faults: readonly Fault[], most: number) =>
    Array.from({ length: random.between(2, most) }, () => {
      const from = random.between(2_000, 38_000);
      const until = Math.min(HEALED_AT - 1, from + random.between(500, 22_000));
      return { fault: random.pick(faults), from, until };
    });
  const episodes = [...draw(FAULTS, 6), ...draw(PAGE_FAULTS, 3)];
  const last = HEALED_AT - random.between(300, 15_000);
  return [...episodes, { fault: random.pick(LOSSES), from: last, until: HEALED_AT }];
}
