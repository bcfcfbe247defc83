import type { Clock } from '../core/ports';

/** §9. */
const PING_MS = 5000;
/** §9: more than this many unanswered, and the socket is given up. */
const MOST_UNANSWERED = 2;

export interface HeartbeatEvents {
  ping(): void;
  /** Too many pings are unanswered. */
  dead(): void;
  /** A beat came much too late: the machine slept. */
  woke(): void;
}

/** Pings at once and every 5 s until stopped (§9). */
export interface Heartbeat {
  start(): void;
  stop(): void;
  /** One more, between two beats. */
  ping(): void;
  /** Answers the oldest ping that is not answered: a late one says nothing of those behind it. */
  pong(): void;
}

export function createHeartbeat(clock: Clock, events: HeartbeatEvents): Heartbeat {
  let unanswered = 0;
  let due = 0;
  let cancel = () => {};

  function ping(): void {
    unanswered += 1;
    events.ping();
  }

  function beat(): void {
    if (unanswered > MOST_UNANSWERED) {
      events.dead();
      return;
    }
    const late = clock.now() - due;
    due = clock.now() + PING_MS;
    cancel = clock.after(PING_MS, beat);
    ping();
    if (late > PING_MS) events.woke();
  }

  return {
    start() {
      cancel();
      unanswered = 0;
      due = clock.now();
      beat();
    },
    stop() {
      cancel();
    },
    ping,
    pong() {
      unanswered = Math.max(0, unanswered - 1);
    },
  };
}
