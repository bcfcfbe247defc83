import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { toLanguage } from '#domain/core/language';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { MessageKey } from '../core/translate';
import { endWithError } from '../http/errors';
import { networkOf } from '../http/network';
import { isOwnPage } from '../http/origins';
import type { Proxies } from '../http/proxies';
import type { Authenticate } from '../http/route';
import type { MarketView } from '../market/market';
import { Connection, type ConnectionContext } from './connection';
import { type LoggedInUsers, Logins, type PrivateMessage } from './logins';
import type { Outbox } from './outbox';
import { QuoteEncoder } from './quoteEncoder';
import { Topics } from './topics';

export interface SocketOptions {
  market: MarketView;
  authenticate: Authenticate;
  users?: LoggedInUsers;
  clock: Clock;
  origins: readonly string[];
  proxies: Proxies;
  /** At `--speed max` the market waits for the slowest reader. */
  lossless: boolean;
  log: Log;
}

/** What the websockets do at a moment. */
export interface SocketStats {
  open: number;
  loggedIn: number;
  /** Readers that have fallen behind. */
  slow: number;
  /** What the kernel has not taken yet. */
  unsentBytes: number;
}

const PATH = '/v1/ws';
/** Enough for ten thousand codes. */
const MAX_PAYLOAD = 128 * 1024;
const MAX_SOCKETS = 10_000;
/** Of one network (D80): many people share an address, but not all of them at once. */
const MAX_OF_NETWORK = 500;
/**
 * Clients ping every 5 s (protocol.md#heartbeat). After the first time, ms, of silence the server
 * pings, so that a client that only listens stays connected; after the second it cuts the connection.
 */
const PING_AFTER_MS = toDurationMs(30_000);
const CUT_AFTER_MS = toDurationMs(60_000);
/** Cut a reader that has accepted nothing for this long, ms. */
const STALLED_MS = toDurationMs(60_000);
const CHECK_EVERY_MS = toDurationMs(5_000);
const CLOSE_TIMEOUT_MS = toDurationMs(2_000);
const GOING_AWAY = 1001;
const SERVICE_RESTART = 1012;

/** All websockets of the server (protocol.md#websocket). */
export class Sockets {
  private readonly options: SocketOptions;
  private readonly server: WebSocketServer;
  private readonly connections = new Set<Connection>();
  /** How many of them each network has; loopback is not counted (D7). */
  private readonly ofNetwork = new Map<string, number>();
  private readonly congested = new Set<Outbox>();
  private readonly context: ConnectionContext;
  private cancelCheck: () => void;
  private stopping = false;
  private onEmpty: (() => void) | undefined;

  constructor(options: SocketOptions) {
    const { market, clock, lossless, authenticate, users, log } = options;
    this.options = options;
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: MAX_PAYLOAD,
      perMessageDeflate: false,
    });
    const encoder = new QuoteEncoder(market);
    this.context = {
      lossless,
      congested: this.congested,
      log,
      now: () => clock.now(),
      marketNow: () => market.now(),
      onSubscribed: () => market.onFirstSubscriber(),
      topics: new Topics(market, encoder, clock, () => this.congestion()),
      logins: new Logins(authenticate, users),
    };
    this.cancelCheck = this.scheduleCheck();
  }

  /** Accepts websocket upgrades of this HTTP server and starts publishing the market. */
  attach(server: Server): void {
    this.context.topics.start();
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      // Until ws takes the stream over, nothing else listens to its errors.
      const ignore = () => {};
      stream.on('error', ignore);
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
        serveAsRequest(server, request, stream);
        return;
      }
      const refused = this.refusal(request);
      if (refused) return endWithError(stream, ...refused);
      stream.off('error', ignore);
      this.server.handleUpgrade(request, stream, head, (socket) => {
        const { lang } = request.headers;
        // Browsers can't send the header: their errors are in the default language.
        const language = toLanguage(typeof lang === 'string' ? lang : undefined);
        const connection = new Connection(socket, stream, this.context, language);
        const network = this.networkOf(request);
        this.connections.add(connection);
        this.count(network, 1);
        socket.on('close', () => {
          this.connections.delete(connection);
          this.count(network, -1);
          if (this.connections.size === 0) this.onEmpty?.();
        });
        connection.subscribeAhead(request.url ?? '');
      });
    });
  }

  /**
   * Sends a message about an order to a user's logged-in sockets. Call it after the commit, in
   * order.
   */
  toUser(userId: number, message: PrivateMessage): void {
    this.context.logins.toUser(userId, message);
  }

  /** A session ended: its sockets are told, and get no private messages any more. They stay open. */
  endSession(sessionId: number): void {
    this.context.logins.endSession(sessionId);
  }

  /** Something was missed: all clients connect again, and fetch what they show. */
  restart(): void {
    for (const connection of this.connections) connection.close(SERVICE_RESTART);
  }

  /** As `restart`, where only messages to this user were missed. */
  restartUser(userId: number): void {
    for (const connection of this.context.logins.of(userId)) connection.close(SERVICE_RESTART);
  }

  stats(): SocketStats {
    let unsentBytes = 0;
    for (const { outbox } of this.connections) unsentBytes += outbox.unsentBytes;
    return {
      open: this.connections.size,
      loggedIn: this.context.logins.count,
      slow: this.congested.size,
      unsentBytes,
    };
  }

  /** Closes all sockets (1001) and cuts those that do not answer. */
  async close(): Promise<void> {
    this.stopping = true;
    this.cancelCheck();
    this.context.topics.stop();
    if (this.connections.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
    for (const connection of this.connections) connection.close(GOING_AWAY);
    const stopWaiting = this.options.clock.after(CLOSE_TIMEOUT_MS, () => {
      for (const { outbox } of this.connections) outbox.terminate();
    });
    await empty;
    stopWaiting();
  }

  private refusal(request: IncomingMessage): [status: number, key: MessageKey] | undefined {
    const { url, headers } = request;
    const { origins, proxies } = this.options;
    if (url?.split('?', 1)[0] !== PATH) return [404, 'server.notFound'];
    // A request without an Origin does not come from a browser (protocol.md#origins).
    if (headers.origin !== undefined && !isOwnPage(request, origins, proxies)) {
      return [403, 'server.foreignRequest'];
    }
    if (this.stopping) return [503, 'server.stopping'];
    if (this.connections.size >= MAX_SOCKETS) return [503, 'server.tooManyConnections'];
    const network = this.networkOf(request);
    if (network !== undefined && (this.ofNetwork.get(network) ?? 0) >= MAX_OF_NETWORK) {
      return [429, 'server.tooManyConnections'];
    }
    return undefined;
  }

  private networkOf(request: IncomingMessage): string | undefined {
    return networkOf(this.options.proxies.countedAddress(request));
  }

  private count(network: string | undefined, change: 1 | -1): void {
    if (network === undefined) return;
    const count = (this.ofNetwork.get(network) ?? 0) + change;
    if (count > 0) this.ofNetwork.set(network, count);
    else this.ofNetwork.delete(network);
  }

  private congestion(): Promise<void> | undefined {
    if (!this.options.lossless || this.congested.size === 0) return undefined;
    return Promise.all([...this.congested].map((outbox) => outbox.drained())).then(() => {});
  }

  private scheduleCheck(): () => void {
    return this.options.clock.after(CHECK_EVERY_MS, () => {
      const now = this.options.clock.now();
      for (const connection of this.connections) {
        const { outbox, lastReceivedAt } = connection;
        const stalled = now - (outbox.congestedSince ?? now) > STALLED_MS;
        if (stalled || now - lastReceivedAt > CUT_AFTER_MS) outbox.terminate();
        else if (now - lastReceivedAt > PING_AFTER_MS) connection.ping();
      }
      this.cancelCheck = this.scheduleCheck();
    });
  }
}

/**
 * Some clients offer HTTP/2 (`Upgrade: h2c`) with their first request, and Node treats every offer
 * as an upgrade once something listens for upgrades. Serve it as a normal request, the last one on
 * its connection.
 */
function serveAsRequest(server: Server, request: IncomingMessage, stream: Duplex): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(stream as Socket);
  response.on('finish', () => stream.end());
  server.emit('request', request, response);
}
