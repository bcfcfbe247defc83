import { type DurationMs, timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../core/ports';

/** Of this many last pongs, or calls, the one with the shortest round trip is used (protocol.md#deadlines). */
const SAMPLES = 10;
/** One that took longer is too inaccurate for the server's clock, ms. */
const LONGEST_ROUND_TRIP_MS = toDurationMs(2000);
/** Wait for one that has it so long after connecting, ms. */
const LACKING_MS = toDurationMs(10_000);
const FEWEST_ANSWERS = 2;
/** A larger difference between wall clock and stopwatch means that the clock was set or the machine slept, ms. */
const DRIFT_MS = toDurationMs(250);

/** A moment on both clocks of this machine. */
interface Stamp {
  now: UnixMs;
  stopwatch: number;
}

interface Sample {
  /** Server's wall clock minus this machine's. */
  offset: DurationMs;
  roundTrip: number;
  at: Stamp;
}

/** The last ones; undefined: one that is not used for the clock. */
type Samples = (Sample | undefined)[];

/** The server's wall clock, computed from pongs, or from calls where no pong has it (protocol.md#deadlines). */
export interface ServerClock {
  /**
   * The time on the server, or up to one way of a pong earlier, so that a deadline never ends later
   * than meant (D73); that of a call is off by half of the call at most. Undefined until one has it.
   */
  now(): UnixMs | undefined;
  /**
   * Whether none of the pongs and calls that were answered has set it, 10 s after the socket was opened or, without one,
   * after the first of them (protocol.md#no-clock). A server that answers nothing may have it.
   */
  lacking(): boolean;
  /** A socket was opened: only pings that are sent from now on are answered. */
  opened(): void;
  pinged(): void;
  /** A pong has come; it answers the oldest ping. `wall`: the server's clock, where the pong has it. */
  ponged(wall: UnixMs | undefined): void;
  /** A call that may tell the clock begins; the result takes what its answer tells. */
  called(): (wall: UnixMs | undefined) => void;
  /** The machine may have slept: earlier pings are not used for the clock. */
  woke(): void;
}

export function createServerClock(clock: Pick<Clock, 'now'>, stopwatch: () => number): ServerClock {
  /** Unanswered pings, oldest first; undefined: sent before a sleep. */
  let pings: (Stamp | undefined)[] = [];
  const pongs: Samples = [];
  const calls: Samples = [];
  /** Since when the clock is awaited, on the stopwatch. */
  let awaitedSince = Number.POSITIVE_INFINITY;
  /** How many pongs and calls were answered since: one may have waited here while the page was frozen. */
  let answers = 0;
  const stamp = (): Stamp => ({ now: clock.now(), stopwatch: stopwatch() });

  /** Whether neither a sleep nor a clock that was set lies between two moments. */
  function isSteady(from: Stamp, to: Stamp): boolean {
    return Math.abs(to.now - from.now - (to.stopwatch - from.stopwatch)) <= DRIFT_MS;
  }

  function best(samples: Samples, present: Stamp): Sample | undefined {
    let shortest: Sample | undefined;
    for (const sample of samples) {
      if (!sample || !isSteady(sample.at, present)) continue;
      if (!shortest || sample.roundTrip < shortest.roundTrip) shortest = sample;
    }
    return shortest;
  }

  function now(): UnixMs | undefined {
    const present = stamp();
    const sample = best(pongs, present) ?? best(calls, present);
    return sample && timeAfter(present.now, sample.offset);
  }

  /** An answer has come to what was sent at `from`. `back`: the share of the round trip that it is taken to have travelled. */
  function measure(
    samples: Samples,
    from: Stamp | undefined,
    wall: UnixMs | undefined,
    back: number,
  ): void {
    const at = stamp();
    const roundTrip = from ? at.stopwatch - from.stopwatch : Number.POSITIVE_INFINITY;
    const tells =
      wall !== undefined && from && roundTrip <= LONGEST_ROUND_TRIP_MS && isSteady(from, at);
    const offset = toDurationMs((wall ?? 0) + roundTrip * back - at.now);
    samples.push(tells ? { offset, roundTrip, at } : undefined);
    if (samples.length > SAMPLES) samples.shift();
    answers += 1;
    if (tells) awaitedSince = Number.POSITIVE_INFINITY;
    else if (!now() && awaitedSince === Number.POSITIVE_INFINITY) {
      awaitedSince = at.stopwatch;
      answers = 1;
    }
  }

  return {
    now,
    lacking: () => answers >= FEWEST_ANSWERS && !now() && stopwatch() - awaitedSince >= LACKING_MS,
    opened() {
      if (!now()) awaitedSince = stopwatch();
      answers = 0;
      pings = [];
    },
    pinged() {
      pings.push(stamp());
    },
    ponged: (wall) => measure(pongs, pings.shift(), wall, 0),
    called() {
      const from = stamp();
      return (wall) => measure(calls, from, wall, 0.5);
    },
    woke() {
      pings = pings.map(() => undefined);
    },
  };
}
