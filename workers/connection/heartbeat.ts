import type { Clock } from '../core/ports';

/** Ping this often (protocol.md#heartbeat), ms. */
const PING_MS = 5000;
/** The socket is dead when more pings than this are unanswered (protocol.md#heartbeat). */
const MOST_UNANSWERED = 2;

export interface HeartbeatEvents {
  ping(): void;
  /** Too many pings are unanswered. */
  dead(): void;
  /** A ping was due much earlier: the machine has slept. */
  woke(): void;
}

/** Pings at once and every 5 s until stopped (protocol.md#heartbeat). */
export interface Heartbeat {
  start(): void;
  stop(): void;
  /** Sends one more ping, between two regular ones. */
  ping(): void;
  /** A pong arrived. It answers the oldest unanswered ping: a late pong says nothing about later pings. */
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
