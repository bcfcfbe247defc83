import type { ClientMessage } from '#domain/api/socket';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import { createBackoff } from '../core/backoff';
import type { Clock, RawSocket } from '../core/ports';
import { createHeartbeat } from './heartbeat';

/** Give up an attempt to connect after this long (protocol.md#reconnecting), ms. */
const CONNECT_TIMEOUT_MS = toDurationMs(5000);
/** The largest delay before the first attempt to reconnect; each further one doubles it. */
const FIRST_RETRY_MS = toDurationMs(200);
/** While the loss is recent, retry often enough to find a connection that is back within 1.5 s. */
const FRESH_RETRY_CAP_MS = toDurationMs(1600);
const FRESH_MS = toDurationMs(60_000);
const RETRY_CAP_MS = toDurationMs(30_000);
/**
 * After the machine slept, replace the socket if it has not proven itself within this time, ms. Only the pong to a new ping proves it:
 * messages that were buffered before the sleep make a dead connection look alive.
 */
const PROBE_MS = toDurationMs(3000);

export interface SocketOptions {
  url: () => string;
  clock: Clock;
  random: () => number;
  openSocket: (url: string) => RawSocket;
  /** The socket is open: log in, subscribe, fetch again (protocol.md#reconnecting). */
  opened(): void;
  received(data: unknown): void;
  /** An open socket was lost; another attempt follows. */
  closed(): void;
  /** A ping was sent. */
  pinged(): void;
  /** The socket may be dead, and what comes over it may be old, until `probeAnswered`. */
  probeStarted(): void;
  /** The probe is answered: the socket works. */
  probeAnswered(): void;
}

/** The websocket: kept open, and replaced when it dies (architecture.md#a-reconnect). */
export interface Socket {
  /** Connects if there is no socket, and again soon where that fails: something says that the network may be back. Leaves a healthy one alone (screens.md#routing). */
  retryNow(): void;
  /** The page is visible again after a silence: connects immediately, or asks the open socket for a pong and replaces it if none comes. */
  wake(): void;
  /** The network is back: as `wake`, and an attempt that began without the network starts over. */
  networkBack(): void;
  /** The page is frozen: lets go of the socket, which nobody reads. `retryNow` connects again. */
  letGo(): void;
  /** Returns false where there is no open socket. */
  send(message: ClientMessage): boolean;
  pong(): void;
  readonly isOpen: boolean;
}

export function createSocket(options: SocketOptions): Socket {
  const { clock } = options;
  const backoff = createBackoff({
    first: FIRST_RETRY_MS,
    cap: () =>
      clock.now() - (lostAt ?? clock.now()) < FRESH_MS ? FRESH_RETRY_CAP_MS : RETRY_CAP_MS,
    random: options.random,
  });
  const heartbeat = createHeartbeat(clock, {
    ping,
    dead: replace,
    woke: wake,
    probeAnswered() {
      cancelProbe();
      options.probeAnswered();
    },
  });
  let phase: 'idle' | 'connecting' | 'open' | 'waiting' = 'idle';
  let rawSocket: RawSocket | undefined;
  /** Each socket has its own number; late callbacks of an old socket are ignored. */
  let generation = 0;
  /** When the connection was lost; undefined once a ping was answered. */
  let lostAt: UnixMs | undefined;
  let cancelTimer = () => {};
  let cancelProbe = () => {};

  function connect(): void {
    discard();
    phase = 'connecting';
    generation += 1;
    const mine = generation;
    const current = (handle: () => void) => () => {
      if (mine === generation) handle();
    };
    cancelTimer = clock.after(CONNECT_TIMEOUT_MS, retry);
    try {
      const opening = options.openSocket(options.url());
      rawSocket = opening;
      opening.onopen = current(open);
      opening.onclose = current(retry);
      opening.onerror = current(retry);
      opening.onmessage = ({ data }) => {
        if (mine !== generation || phase !== 'open') return;
        heartbeat.received();
        options.received(data);
      };
    } catch {
      retry();
    }
  }

  function open(): void {
    cancelTimer();
    phase = 'open';
    options.opened();
    // A handler of `opened` may have closed the socket.
    if (phase === 'open') heartbeat.start();
  }

  /** The socket has closed, failed or timed out, whichever is reported first. */
  function retry(): void {
    const wasOpen = phase === 'open';
    discard();
    phase = 'waiting';
    lostAt ??= clock.now();
    cancelTimer = clock.after(backoff.next(), connect);
    if (wasOpen) options.closed();
  }

  /** The socket is dead, although no close was reported. */
  function replace(): void {
    if (phase !== 'open') return;
    lostAt ??= clock.now();
    connect();
    options.closed();
  }

  function discard(): void {
    generation += 1;
    heartbeat.stop();
    cancelTimer();
    cancelProbe();
    const old = rawSocket;
    rawSocket = undefined;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = old.onerror = null;
    try {
      old.close();
    } catch {
      // Closing a socket that never opened may throw; it is discarded either way.
    }
  }

  function ping(): void {
    options.pinged();
    send({ type: 'ping' });
  }

  function retryNow(): void {
    backoff.reset();
    if (phase === 'idle' || phase === 'waiting') connect();
  }

  function wake(): void {
    if (phase === 'waiting') retryNow();
    if (phase !== 'open') return;
    cancelProbe();
    cancelProbe = clock.after(PROBE_MS, replace);
    options.probeStarted();
    heartbeat.probe();
  }

  function send(message: ClientMessage): boolean {
    if (phase !== 'open' || !rawSocket) return false;
    try {
      rawSocket.send(JSON.stringify(message));
      return true;
    } catch {
      return false;
    }
  }

  return {
    retryNow,
    wake,
    letGo() {
      const wasOpen = phase === 'open';
      discard();
      phase = 'idle';
      if (wasOpen) options.closed();
    },
    networkBack() {
      if (phase === 'connecting') connect();
      else wake();
    },
    send,
    pong() {
      // Only this says that the socket may stay: prices also come over one that is closed because nobody can be logged in.
      backoff.reset();
      lostAt = undefined;
      heartbeat.pong();
    },
    get isOpen() {
      return phase === 'open';
    },
  };
}
