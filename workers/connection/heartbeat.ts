import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/ports';

/** Ping this often (protocol.md#heartbeat), ms. */
const PING_MS = toDurationMs(5000);
/** The socket is dead when more pings than this are unanswered (protocol.md#heartbeat). */
const MOST_UNANSWERED = 2;

export interface HeartbeatEvents {
  ping(): void;
  /** Too many pings are unanswered. */
  dead(): void;
  /** A ping was due much earlier: the machine has slept. */
  woke(): void;
  /** The ping of `probe` and all earlier pings are answered. */
  probeAnswered(): void;
}

/** Pings immediately and every 5 s until stopped (protocol.md#heartbeat). */
export interface Heartbeat {
  start(): void;
  stop(): void;
  /** Sends one more ping, between two regular ones; its answer calls `probeAnswered`. */
  probe(): void;
  /** A message has come. Call this before handling it, to detect whether the machine has slept. */
  received(): void;
  /** A pong arrived. It answers the oldest unanswered ping: a late pong says nothing about later pings. */
  pong(): void;
}

export function createHeartbeat(clock: Clock, events: HeartbeatEvents): Heartbeat {
  let unanswered = 0;
  /** Pongs that are missing until the ping of `probe` is answered; 0: no probe is running. */
  let awaited = 0;
  let due = Number.POSITIVE_INFINITY;
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
    const slept = clock.now() - due > PING_MS;
    due = clock.now() + PING_MS;
    cancel = clock.after(PING_MS, beat);
    // Proving the connection pings as well.
    if (slept) events.woke();
    else ping();
  }

  return {
    start() {
      cancel();
      unanswered = awaited = 0;
      due = clock.now();
      beat();
    },
    stop() {
      due = Number.POSITIVE_INFINITY;
      cancel();
    },
    probe() {
      awaited = unanswered + 1;
      ping();
    },
    received() {
      if (clock.now() - due <= PING_MS) return;
      due = clock.now();
      events.woke();
    },
    pong() {
      unanswered = Math.max(0, unanswered - 1);
      if (awaited === 0) return;
      awaited -= 1;
      if (awaited === 0) events.probeAnswered();
    },
  };
}
