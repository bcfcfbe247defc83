import { CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import { readInteger, readNumber } from '#domain/core/read';
import { LATEST_MS } from '#domain/core/units';
import type { Session } from '../account/session';
import type { Ports } from '../core/ports';
import type { TrafficMeter } from '../core/trafficMeter';
import { createDispatch, type Dispatch } from './dispatch';
import { createLink, type LinkOptions, type LinkWatch } from './link';
import { createSocket, type Socket } from './socket';
import { createTopics, type Topics } from './topics';

export interface ConnectionOptions extends Omit<LinkOptions, 'clock'> {
  ports: Ports;
  meter: TrafficMeter;
  url: () => string;
  session: () => Session;
  /** Logged in and subscribed: fetch what may have been missed (protocol.md). `again`: after a loss. */
  opened(again: boolean): void;
  /** The server took the login: from here on it pushes what is the user's. */
  loggedIn(): void;
}

/** Socket, link, topics and dispatch, wired. */
export interface Connection {
  readonly socket: Socket;
  readonly link: LinkWatch;
  readonly topics: Topics;
  readonly dispatch: Dispatch;
  /** Whether what is pushed to the user is pushed to the present one. */
  readonly isLoggedIn: boolean;
  /** Another token than before: log in with it, or out. */
  authenticate(token: string): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { clock, random, openSocket, logger } = options.ports;
  const { meter } = options;
  const link = createLink({ ...options, clock });
  const dispatch = createDispatch(logger);
  let again = false;
  /** What the socket logged in with. */
  let sentToken = '';
  /** Logins that are not answered yet; only the answer to the last one counts. */
  let unanswered = 0;
  let isLoggedIn = false;
  const socket = createSocket({
    url: options.url,
    clock,
    random,
    openSocket,
    opened() {
      link.opened();
      sentToken = '';
      unanswered = 0;
      isLoggedIn = false;
      authenticate(options.session().token);
      topics.resubscribe();
      options.opened(again);
      again = true;
    },
    received(data) {
      const begun = meter.begin();
      meter.received(data);
      link.heard();
      dispatch.receive(data);
      meter.end(begun);
    },
    closed: link.closed,
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
    const now = readNumber(message['now']);
    if (now !== undefined && now > 0 && now <= LATEST_MS) link.marketTime(now);
  });
  dispatch.on('login', (_, message) => {
    unanswered = Math.max(0, unanswered - 1);
    if (unanswered > 0 || !sentToken) return;
    const code = readInteger(message['code']);
    // Nobody asked for it: the user is told, not sent away.
    if (code === CODE_SIGNED_OUT) options.session().signedOut(sentToken, true);
    if (code !== CODE_OK) return;
    isLoggedIn = true;
    options.loggedIn();
  });
  dispatch.on('error', (_, message) => logger.warn('websocket: refused', message['msg']));

  return {
    socket,
    link,
    topics,
    dispatch,
    authenticate,
    get isLoggedIn() {
      return isLoggedIn;
    },
  };
}
