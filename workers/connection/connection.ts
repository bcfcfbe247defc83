import { CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import { readInteger, readUnixMs } from '#domain/core/read';
import type { CurrentUser } from '../account/currentUser';
import type { Session } from '../account/session';
import type { Lifecycle, LifecycleListener } from '../core/lifecycle';
import type { Clock, Ports } from '../core/ports';
import type { TrafficMeter } from '../core/trafficMeter';
import type { Frames } from '../frames/frames';
import { type ConnectionTracker, createConnectionTracker } from './connectionTracker';
import { createDispatch, type Dispatch } from './dispatch';
import { createServerClock, type ServerClock } from './serverClock';
import { createSocket } from './socket';
import { subscribing } from './socketAhead';
import { createTopics, type Topics } from './topics';

export interface ConnectionOptions {
  ports: Ports;
  /** For the server's clock, which is unknown after this one was set (D73). */
  wallClock: Pick<Clock, 'now'>;
  meter: TrafficMeter;
  frames: Pick<Frames, 'field'>;
  lifecycle: Pick<
    Lifecycle,
    'connected' | 'connectedAgain' | 'loggedIn' | 'connectionProvenChanged'
  >;
  session: Pick<Session, 'token' | 'signedOut'>;
  checkSession: CurrentUser['check'];
  url: () => string;
}

/** The socket, the state of the connection, topics and dispatch of messages. */
export interface Connection extends LifecycleListener {
  readonly tracker: ConnectionTracker;
  readonly topics: Topics;
  readonly dispatch: Dispatch;
  readonly serverClock: Pick<ServerClock, 'now' | 'lacking' | 'called'>;
  /** Whether what the server pushes to a user is for the present one. */
  readonly isLoggedIn: boolean;
  /** Opens the socket if there is none, without waiting for the next attempt; leaves a healthy one alone. */
  retryNow(): void;
  setOnline(online: boolean): void;
  /** A frozen page has no socket. */
  setFrozen(frozen: boolean): void;
  /** Whether the server takes subscriptions in the address of a socket (protocol.md#subscriptions-in-the-address). */
  setSubscribesByUrl(subscribes: boolean): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { meter, lifecycle, session } = options;
  const { clock, random, openSocket, logger } = options.ports;
  const stateField = options.frames.field('connection', () => tracker.current, true);
  const tracker = createConnectionTracker({
    clock,
    changed: stateField.touch,
    provenChanged: lifecycle.connectionProvenChanged,
  });
  const dispatch = createDispatch(logger);
  const serverClock = createServerClock(options.wallClock, options.ports.stopwatch);
  let frozen = false;
  let started = false;
  let wasOpen = false;
  /** The token that the open socket logged in with; empty: none. */
  let sentToken = '';
  /** Logins without an answer so far. Only the answer to the last one counts. */
  let unanswered = 0;
  let isLoggedIn = false;
  let subscribesByUrl = false;
  const socket = createSocket({
    // They are sent again once it is open: a server may be an older one by now.
    url: () =>
      subscribesByUrl ? subscribing(options.url(), topics.subscriptions()) : options.url(),
    clock,
    random,
    openSocket,
    opened() {
      tracker.socketChanged();
      serverClock.opened();
      sentToken = '';
      unanswered = 0;
      isLoggedIn = false;
      authenticate(session.token);
      topics.resubscribe();
      lifecycle.connected();
      if (wasOpen) lifecycle.connectedAgain();
      wasOpen = true;
    },
    received(data) {
      const began = meter.begin();
      meter.received(data);
      tracker.messageReceived();
      dispatch.receive(data);
      meter.end(began);
    },
    closed: tracker.socketChanged,
    pinged: serverClock.pinged,
    probeStarted() {
      tracker.probeStarted();
      serverClock.woke();
    },
    probeAnswered: tracker.probeAnswered,
  });
  const topics = createTopics(clock, socket.send);

  function authenticate(token: string): void {
    if (token === sentToken || !socket.isOpen) return;
    sentToken = token;
    isLoggedIn = false;
    if (token) unanswered += 1;
    socket.send(token ? { type: 'login', token } : { type: 'logout' });
  }

  dispatch.on('pong', (_, message) => {
    socket.pong();
    const wall = readUnixMs(message['wall']);
    const now = readUnixMs(message['now']);
    serverClock.ponged(wall);
    if (now !== undefined) tracker.marketTimeReceived(now, wall);
  });
  /** Code 999 may be about the session that this socket was logged in to before. */
  async function refused(wasAsked: boolean): Promise<void> {
    isLoggedIn = false;
    const token = sentToken;
    // The user did not ask for the login of a new socket: they stay where they are.
    const goesOn = await options.checkSession(wasAsked);
    if (wasAsked) {
      if (!goesOn && !isLoggedIn) session.signedOut(token, true);
    } else if (token === sentToken && !isLoggedIn && unanswered === 0) {
      // The session goes on, or nobody knows, but the socket is logged out.
      sentToken = '';
      authenticate(token);
    }
  }

  dispatch.on('login', (_, message) => {
    const wasAsked = unanswered > 0;
    unanswered = Math.max(0, unanswered - 1);
    if (unanswered > 0 || !sentToken) return;
    const code = readInteger(message['code']);
    if (code === CODE_SIGNED_OUT) void refused(wasAsked);
    if (code !== CODE_OK) return;
    isLoggedIn = true;
    lifecycle.loggedIn();
  });
  dispatch.on('error', (_, message) => logger.warn('websocket: refused', message['msg']));

  function retryNow(): void {
    if (started && !frozen) socket.retryNow();
  }

  return {
    tracker,
    topics,
    dispatch,
    serverClock,
    get isLoggedIn() {
      return isLoggedIn;
    },
    retryNow,
    setSubscribesByUrl(subscribes) {
      subscribesByUrl = subscribes;
    },
    setFrozen(next) {
      frozen = next;
      if (frozen) socket.letGo();
      else retryNow();
    },
    setOnline(online) {
      tracker.setOnline(online);
      if (online) socket.networkBack();
    },
    started({ online }) {
      started = true;
      tracker.setOnline(online);
      socket.retryNow();
    },
    tokenChanged: authenticate,
    visibilityChanged(visible) {
      if (visible && !tracker.proven) socket.wake();
    },
  };
}
