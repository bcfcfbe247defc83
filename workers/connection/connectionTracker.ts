import {
  type DurationMs,
  latest,
  timeAfter,
  timeBetween,
  toDurationMs,
  toUnixMs,
  type UnixMs,
} from '#domain/core/time';
import type { ConnectionState, ConnectionStatus } from '#domain/worker/workerApi';
import type { Clock } from '../core/ports';

/** The connection is unproven after this long without a message (protocol.md#staleness), ms. */
export const STALE_MS = toDurationMs(10_000);
/** A market whose clock is this far behind the server's replays a recording, ms. */
const RECORDED_MS = toDurationMs(86_400_000);
/** Report a new offset of the market's clock only if it differs by this much, ms: ages are shown in seconds. */
const OFFSET_STEP_MS = toDurationMs(500);

export interface ConnectionTrackerOptions {
  clock: Clock;
  /** `current` has changed. */
  changed(): void;
  /** The connection has become proven or unproven. */
  provenChanged(): void;
}

export interface TimeRange {
  from: UnixMs;
  until: UnixMs;
}

/** Tracks the state of the connection from what was received. */
export interface ConnectionTracker {
  readonly current: ConnectionState;
  /** Whether something was received within the last 10 s, and surely not from before a sleep: quotes can be trusted. */
  readonly proven: boolean;
  /** When the last message came; undefined before the first one. */
  readonly heardAt: UnixMs | undefined;
  /** The socket was opened or lost: nothing has come over it. */
  socketChanged(): void;
  /** A message was received, valid or not. */
  messageReceived(): void;
  /** What is received may be from before a sleep: the connection is unproven until `probeAnswered`. */
  probeStarted(): void;
  /** A pong has come that was sent after the probe started. */
  probeAnswered(): void;
  /** A call that was sent then brought quotes: they can be trusted for as long as those of a message of that time, although the socket is not proven by it. */
  quotesFetched(sentAt: UnixMs): void;
  setOnline(online: boolean): void;
  /** Whether lists are fetched every few seconds, because no messages come. */
  setPolling(polling: boolean): void;
  /** Between which times the market's clock is; undefined while unknown. Since the last pong this machine may have slept, or its clock may have been set forward. */
  readonly marketTime: TimeRange | undefined;
  /** The time of the market's clock, from a pong, and of the server's where the pong has it. */
  marketTimeReceived(now: UnixMs, wall?: UnixMs): void;
  /** The time of the newest tick: the market's clock is never behind it. */
  tickTime(time: UnixMs): void;
}

export function createConnectionTracker({
  clock,
  changed,
  provenChanged,
}: ConnectionTrackerOptions): ConnectionTracker {
  let current: ConnectionState = { state: 'connecting', marketOffset: undefined };
  /** A message was received over the open socket. */
  let receivedSinceOpen = false;
  let offline = false;
  let receivedAt: UnixMs | undefined;
  let heardAt: UnixMs | undefined;
  let polling = false;
  let proven = false;
  let probing = false;
  let checking = false;
  let marketTimeAtPong: UnixMs | undefined;

  function state(): ConnectionStatus {
    if (offline) return 'offline';
    if (receivedAt !== undefined && !proven) return 'stale';
    if (polling && proven) return 'slow';
    return receivedSinceOpen ? 'live' : 'connecting';
  }

  function update(): void {
    const next = state();
    if (next === current.state) return;
    current = { ...current, state: next };
    changed();
  }

  function markProven(at = clock.now()): void {
    receivedAt = latest(at, receivedAt ?? at);
    if (proven || probing) return;
    proven = true;
    if (!checking) check();
    provenChanged();
  }

  /** Checks for silence with one timer, however many messages come. */
  function check(): void {
    const silence = timeBetween(receivedAt ?? toUnixMs(0), clock.now());
    checking = silence < STALE_MS;
    if (checking) {
      clock.after(toDurationMs(STALE_MS - silence), check);
    } else {
      markUnproven();
    }
  }

  function markUnproven(): void {
    if (!proven) return;
    proven = false;
    update();
    provenChanged();
  }

  function setOffset(marketOffset: DurationMs): void {
    const moved = Math.abs(marketOffset - (current.marketOffset ?? Number.NaN));
    if (moved < OFFSET_STEP_MS) return;
    current = { ...current, marketOffset };
    changed();
  }

  return {
    get current() {
      return current;
    },
    get proven() {
      return proven;
    },
    get heardAt() {
      return heardAt;
    },
    socketChanged() {
      receivedSinceOpen = probing = false;
      update();
    },
    messageReceived() {
      receivedSinceOpen = true;
      offline = polling = false;
      heardAt = clock.now();
      markProven();
      update();
    },
    probeStarted() {
      probing = true;
      markUnproven();
    },
    probeAnswered() {
      probing = false;
      markProven();
      update();
    },
    quotesFetched(sentAt) {
      if (timeBetween(sentAt, clock.now()) < STALE_MS) markProven(sentAt);
      update();
    },
    setOnline(online) {
      offline = !online;
      if (offline) markUnproven();
      update();
    },
    setPolling(next) {
      polling = next;
      update();
    },
    get marketTime() {
      const offset = current.marketOffset;
      if (marketTimeAtPong === undefined || offset === undefined) return undefined;
      return { from: marketTimeAtPong, until: timeAfter(clock.now(), offset) };
    },
    marketTimeReceived(now, wall = clock.now()) {
      marketTimeAtPong = now;
      current.recorded = timeBetween(now, wall) > RECORDED_MS;
      setOffset(timeBetween(clock.now(), now));
    },
    tickTime(time) {
      if (current.marketOffset === undefined) return;
      const offset = timeBetween(clock.now(), time);
      if (offset > current.marketOffset) setOffset(offset);
    },
  };
}
