import {
  type DurationMs,
  timeAfter,
  timeBetween,
  toDurationMs,
  type UnixMs,
} from '#domain/core/time';
import type { Clock } from '../core/ports';

/** Of this many last pongs the one with the shortest round trip is used (protocol.md#deadlines). */
const PONGS = 10;
/** A pong that took longer is too inaccurate for the server's clock, ms. */
const LONGEST_ROUND_TRIP_MS = toDurationMs(2000);
/** Wait for a pong that has it so long after connecting, ms. */
const LACKING_MS = toDurationMs(10_000);
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

/** The server's wall clock, computed from pongs (protocol.md#deadlines). */
export interface ServerClock {
  /**
   * The time on the server, or up to one way of a pong earlier, so that a deadline never ends later
   * than meant (D73). Undefined until a pong has it.
   */
  now(): UnixMs | undefined;
  /**
   * Whether 10 s after the socket was opened none of the pongs that came has set it (protocol.md#no-clock). A connection without
   * pongs says nothing about the server.
   */
  lacking(): boolean;
  /** A socket was opened: only pings that are sent from now on are answered. */
  opened(): void;
  pinged(): void;
  /** A pong has come; it answers the oldest ping. `wall`: the server's clock, where the pong has it. */
  ponged(wall: UnixMs | undefined): void;
  /** The machine may have slept: earlier pings are not used for the clock. */
  woke(): void;
}

export function createServerClock(clock: Pick<Clock, 'now'>, stopwatch: () => number): ServerClock {
  /** Unanswered pings, oldest first; undefined: sent before a sleep. */
  let pings: (Stamp | undefined)[] = [];
  /** The last pongs; undefined: one that is not used for the clock. */
  const pongs: (Sample | undefined)[] = [];
  /** When the socket was opened, on the stopwatch; never, once a pong has come since that has the clock. */
  let openedAt = Number.POSITIVE_INFINITY;
  /** Whether a pong has come since. */
  let answered = false;
  const stamp = (): Stamp => ({ now: clock.now(), stopwatch: stopwatch() });

  /** Whether neither a sleep nor a clock that was set lies between two moments. */
  function isSteady(from: Stamp, to: Stamp): boolean {
    return Math.abs(to.now - from.now - (to.stopwatch - from.stopwatch)) <= DRIFT_MS;
  }

  return {
    now() {
      const present = stamp();
      let best: Sample | undefined;
      for (const sample of pongs) {
        if (!sample || !isSteady(sample.at, present)) continue;
        if (!best || sample.roundTrip < best.roundTrip) best = sample;
      }
      return best && timeAfter(present.now, best.offset);
    },
    lacking: () => answered && stopwatch() - openedAt >= LACKING_MS,
    opened() {
      openedAt = stopwatch();
      answered = false;
      pings = [];
    },
    pinged() {
      pings.push(stamp());
    },
    ponged(wall) {
      answered = true;
      const ping = pings.shift();
      const at = stamp();
      const roundTrip = ping ? at.stopwatch - ping.stopwatch : Number.POSITIVE_INFINITY;
      const tells =
        wall !== undefined &&
        ping !== undefined &&
        roundTrip <= LONGEST_ROUND_TRIP_MS &&
        isSteady(ping, at);
      if (tells) openedAt = Number.POSITIVE_INFINITY;
      pongs.push(tells ? { offset: timeBetween(at.now, wall), roundTrip, at } : undefined);
      if (pongs.length > PONGS) pongs.shift();
    },
    woke() {
      pings = pings.map(() => undefined);
    },
  };
}
