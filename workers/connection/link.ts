import type { UnixMs } from '#domain/core/units';
import type { Link, LinkState } from '#domain/gateway/gateway';
import type { Clock } from '../core/ports';

/** The link is unproven when nothing was received for this long (protocol.md, Age and staleness). */
export const STALE_MS = 10_000;
/** Ages are shown in seconds. */
const OFFSET_STEP_MS = 500;

export interface LinkOptions {
  clock: Clock;
  /** `current` says something else than before. */
  changed(): void;
  /** The link has become proven or unproven. */
  provenChanged(): void;
}

/** What is known of the link; guesses nothing. */
export interface LinkWatch {
  readonly current: Link;
  /** Something was received within the last 10 s, so that quotes can be trusted. */
  readonly proven: boolean;
  opened(): void;
  closed(): void;
  /** A message came, good or bad. */
  messageReceived(): void;
  /** An answer over HTTP brought quotes: they can be trusted, although the socket is not proven by it. */
  quotesFetched(): void;
  setOnline(online: boolean): void;
  /** The market's clock, as a pong has it. */
  marketTime(now: UnixMs): void;
  /** The market's clock is never behind its newest tick. */
  tickTime(time: UnixMs): void;
}

export function createLink({ clock, changed, provenChanged }: LinkOptions): LinkWatch {
  let current: Link = { state: 'connecting', marketOffset: undefined };
  let open = false;
  /** On the socket that is open. */
  let receivedSinceOpen = false;
  let offline = false;
  let receivedAt: UnixMs | undefined;
  let proven = false;
  let checking = false;

  function state(): LinkState {
    if (offline) return 'offline';
    if (receivedAt !== undefined && !proven) return 'stale';
    return open && receivedSinceOpen ? 'live' : 'connecting';
  }

  function update(): void {
    const next = state();
    if (next === current.state) return;
    current = { ...current, state: next };
    changed();
  }

  function prove(): void {
    receivedAt = clock.now();
    if (proven) return;
    proven = true;
    if (!checking) check();
    provenChanged();
  }

  /** One timer, however many messages come. */
  function check(): void {
    // A clock that was set back must not stretch the silence.
    receivedAt = Math.min(receivedAt ?? 0, clock.now());
    const silence = clock.now() - receivedAt;
    checking = silence < STALE_MS;
    if (checking) {
      clock.after(STALE_MS - silence, check);
    } else {
      proven = false;
      update();
      provenChanged();
    }
  }

  function setOffset(marketOffset: UnixMs): void {
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
    opened() {
      open = true;
      receivedSinceOpen = false;
      update();
    },
    closed() {
      open = false;
      update();
    },
    messageReceived() {
      receivedSinceOpen = true;
      offline = false;
      prove();
      update();
    },
    quotesFetched() {
      prove();
      update();
    },
    setOnline(online) {
      offline = !online;
      update();
    },
    marketTime(now) {
      setOffset(now - clock.now());
    },
    tickTime(time) {
      if (current.marketOffset === undefined) return;
      const offset = time - clock.now();
      if (offset > current.marketOffset) setOffset(offset);
    },
  };
}
