import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Dialect, Session } from './dialect';
import { binance } from './dialects/binance';
import { bitstamp } from './dialects/bitstamp';
import { bybit } from './dialects/bybit';
import { coinbase } from './dialects/coinbase';
import { kraken } from './dialects/kraken';
import { okx } from './dialects/okx';
import { codeOf, ExchangeMarket, type Pair, randomNumbers, type Trade } from './market';

export const dialects = { kraken, binance, coinbase, okx, bybit, bitstamp };
export type ExchangeName = keyof typeof dialects;

interface Clock {
  now(): number;
  after(delay: number, action: () => void): () => void;
}

/** What goes wrong, changed at any time. */
export interface Faults {
  /** Nothing is sent any more; connections stay. */
  silent: boolean;
  /** Shares of trades that come twice, and up to `lateness` ms late. */
  duplicated: number;
  late: number;
  lateness: number;
  /** The share of trades after which something malformed comes. */
  malformed: number;
  /** The status of REST and of handshakes. */
  status: number;
  /** How long a handshake takes, ms. */
  handshake: number;
}

class Client implements Session {
  readonly subscribed = new Set<string>();
  /** When something was last sent, or the client pinged. */
  quietSince: number;
  private number = 0;
  private received: number[] = [];

  readonly socket: WebSocket;
  private readonly exchange: FakeExchange;

  constructor(socket: WebSocket, exchange: FakeExchange) {
    this.socket = socket;
    this.exchange = exchange;
    this.quietSince = exchange.clock.now();
  }

  get market() {
    return this.exchange.market;
  }

  now = () => this.exchange.clock.now();

  nextNumber(): number {
    return this.number++;
  }

  send(message: unknown): void {
    if (this.exchange.faults.silent) return;
    this.quietSince = this.now();
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribing(count: number): void {
    if (count > this.exchange.dialect.limits.perMessage)
      this.exchange.violations.push(`${count} subscriptions in a message`);
  }

  pinged(): void {
    this.exchange.pings++;
    this.quietSince = this.now();
  }

  /** Ends a connection whose client does not ask whether it lives. */
  demandPing(): void {
    const { violations, dialect } = this.exchange;
    if (this.now() - this.quietSince < dialect.limits.pingAfter) return;
    violations.push(`no ping for ${dialect.limits.pingAfter / 1000} s`);
    this.socket.close(1008);
  }

  message(text: string): void {
    const now = this.now();
    this.received = [...this.received.filter((time) => time > now - 1000), now];
    if (this.received.length > this.exchange.dialect.limits.messagesPerSecond)
      this.exchange.violations.push(`${this.received.length} messages in a second`);
    this.exchange.dialect.received(text, this);
    const pairs = [...this.subscribed].filter((each) => each.startsWith('trade ')).length;
    if (pairs > this.exchange.dialect.limits.pairs)
      this.exchange.violations.push(`${pairs} pairs in a connection`);
  }
}

/** A call that the exchange itself makes, see `read`. */
const ROUND_TRIP = '/round-trip';
const MALFORMED = ['{', '', '[]', '{"channel":"trade","data":[{"price":"NaN"}]}', 'null'];

/** An exchange on loopback, with a market of its own. */
export class FakeExchange {
  readonly dialect: Dialect;
  readonly market: ExchangeMarket;
  readonly faults: Faults = {
    silent: false,
    duplicated: 0,
    late: 0,
    lateness: 1_500,
    malformed: 0,
    status: 200,
    handshake: 0,
  };
  /** Limits that a client did not keep. */
  readonly violations: string[] = [];
  /** User agents and paths of REST calls. */
  readonly calls: { path: string; agent: string }[] = [];
  connections = 0;
  pings = 0;
  private readonly clients = new Set<Client>();
  private readonly server: Server;
  private readonly sockets = new WebSocketServer({ noServer: true, autoPong: false });
  private readonly random: () => number;
  private readonly stops = new Set<() => void>();
  /** When connections of the last ten minutes began. */
  private begun: number[] = [];

  readonly clock: Clock;

  private constructor(name: ExchangeName, clock: Clock, seed: number, pairs?: readonly Pair[]) {
    this.clock = clock;
    this.dialect = dialects[name];
    this.market = new ExchangeMarket(pairs ?? this.dialect.pairs, seed);
    this.random = randomNumbers(seed + 1);
    this.server = createServer((request, response) => {
      if (request.url === ROUND_TRIP) return response.end();
      const url = new URL(request.url ?? '', 'http://loopback');
      const path = url.pathname + url.search;
      this.calls.push({ path, agent: String(request.headers['user-agent']) });
      const body = this.faults.status === 200 && this.dialect.rest(url, this.market);
      response.writeHead(body ? 200 : this.faults.status === 200 ? 404 : this.faults.status, {
        'content-type': 'application/json',
      });
      response.end(JSON.stringify(body || {}));
    });
    this.server.on('upgrade', (request, socket, head) => {
      const known = this.dialect.path.test(request.url ?? '');
      if (!known || this.faults.status !== 200) {
        const status = known ? this.faults.status : 404;
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
        return;
      }
      const accept = () =>
        this.sockets.handleUpgrade(request, socket, head, (accepted) => this.connected(accepted));
      if (this.faults.handshake > 0) {
        this.later(this.faults.handshake, accept);
        this.stops.add(() => socket.destroy());
      } else accept();
    });
  }

  static async start(
    name: ExchangeName,
    clock: Clock,
    seed: number,
    port = 0,
    pairs?: readonly Pair[],
  ): Promise<FakeExchange> {
    const exchange = new FakeExchange(name, clock, seed, pairs);
    await new Promise<void>((resolve) => {
      exchange.server.listen(port, '127.0.0.1', resolve);
    });
    exchange.beat();
    return exchange;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    this.kill();
    this.sockets.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  /** Cuts all connections, with what was still to come. */
  kill(): void {
    for (const client of this.clients) client.socket.terminate();
    this.clients.clear();
  }

  /** Ends all connections in good order, as after a day. */
  end(): void {
    for (const client of this.clients) client.socket.close(1001);
    this.clients.clear();
  }

  /** Leaves out a number where messages are numbered. */
  skipNumber(): void {
    for (const client of this.clients) client.nextNumber();
  }

  /** Trades a pair `count` times now and says so, as faults allow. */
  trade(code: string, count = 1): void {
    const trades = Array.from({ length: count }, () => this.market.trade(code, this.clock.now()));
    const wait = this.random() < this.faults.late ? this.random() * this.faults.lateness : 0;
    const twice = this.random() < this.faults.duplicated;
    const malformed = this.random() < this.faults.malformed;
    for (const client of this.clients) {
      const say = () => {
        if (!this.clients.has(client)) return;
        this.say(client, trades);
        if (twice) this.say(client, trades);
        if (malformed) client.send(MALFORMED[Math.floor(this.random() * MALFORMED.length)]);
      };
      if (wait > 0) this.later(wait, say);
      else say();
    }
  }

  /** Waits until clients have read what was sent; without any, as long as one that connects needs for a step. */
  async read(): Promise<void> {
    // A ping would break the silence.
    if (this.faults.silent || this.clients.size === 0) return this.roundTrip();
    await Promise.all(
      [...this.clients].map(
        ({ socket }) =>
          new Promise<void>((resolve) => {
            if (socket.readyState !== socket.OPEN) return resolve();
            const done = () => {
              socket.off('pong', done);
              socket.off('close', done);
              resolve();
            };
            socket.on('pong', done);
            socket.on('close', done);
            socket.ping();
          }),
      ),
    );
  }

  private roundTrip(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { port } = this;
      get({ host: '127.0.0.1', port, path: ROUND_TRIP, agent: false }, (answer) => {
        answer.resume().on('end', resolve);
      }).on('error', reject);
    });
  }

  private say(client: Client, trades: readonly Trade[]): void {
    const [first] = trades;
    if (!first) return;
    const code = codeOf(first.pair);
    if (client.subscribed.has(`trade ${code}`)) {
      for (const message of [this.dialect.trades(trades, client)].flat()) client.send(message);
    }
    if (client.subscribed.has(`book ${code}`))
      client.send(this.dialect.topOfBook(first.pair, client));
  }

  private connected(socket: WebSocket): void {
    this.connections++;
    const now = this.clock.now();
    this.begun = [...this.begun.filter((time) => time > now - 600_000), now];
    if (this.begun.length > this.dialect.limits.connections)
      this.violations.push(`${this.begun.length} connections in ten minutes`);
    const client = new Client(socket, this);
    this.clients.add(client);
    socket.on('close', () => this.clients.delete(client));
    socket.on('ping', (data) => {
      client.pinged();
      if (!this.faults.silent) socket.pong(data);
    });
    socket.on('message', (data) => client.message(String(data)));
  }

  private beat(): void {
    this.later(1_000, () => {
      for (const client of this.clients) {
        const message = this.faults.silent ? undefined : this.dialect.heartbeat?.(client);
        if (message) client.send(message);
        client.demandPing();
      }
      this.beat();
    });
  }

  private later(delay: number, action: () => void): void {
    const stop = this.clock.after(delay, () => {
      this.stops.delete(stop);
      action();
    });
    this.stops.add(stop);
  }
}
