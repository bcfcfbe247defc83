import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Envelope } from '#domain/api/envelope';
import type { SessionRow } from '#domain/api/user';
import { toUnitsPerLot, toUsd } from '#domain/core/units';
import { createApp } from '../../../server/app';
import { readCommand } from '../../../server/config/config';
import type { Db } from '../../../server/db/database';
import type { App } from '../../../server/lifecycle';
import { type Answer, send } from '../http/testHttp';
import { TestClient } from '../socket/testSockets';
import { dataDirectory } from '../support/dataDirectory';
import { FakeClock } from '../support/fakeClock';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';

export const EUR = 1;
export const XAU = 2;
/** Fixed margin. */
export const OIL = 3;
/** Without multipliers. */
export const BARE = 4;
/** Never traded. */
export const NEW = 5;

type Params = Record<string, string | number>;

/** A user of the server. */
export class Trader {
  readonly token: string;
  readonly id: number;
  private readonly exchange: TestExchange;

  constructor(exchange: TestExchange, { token, user }: SessionRow) {
    this.exchange = exchange;
    this.token = token;
    this.id = user.id;
  }

  get<T>(path: string, params: Params = {}, headers = {}): Promise<Envelope<T>> {
    return this.exchange.get(path, params, { authorization: this.token, ...headers });
  }

  /** The data of a call that must succeed. */
  async data<T>(path: string, params: Params = {}, headers = {}): Promise<T> {
    const envelope = await this.get<T>(path, params, headers);
    if (envelope.code !== 1) throw new Error(`${path}: ${envelope.code} ${envelope.msg}`);
    return envelope.data;
  }

  submit<T>(params: Params = {}, headers = {}): Promise<Envelope<T>> {
    return this.get('/v1/api/forex/submit', { ...ORDER, ...params }, headers);
  }

  async connect(): Promise<TestClient> {
    const client = await this.exchange.connect();
    await client.ask(
      { type: 'sub', topic: 'FOREX_TRADE' },
      { type: 'sub', topic: 'FOREX_CLOSED' },
      { type: 'login', token: this.token },
    );
    return client;
  }
}

/** A market order for one lot of EURUSD with all parameters. */
export const ORDER: Params = {
  type: 1,
  cont: '1',
  forex_id: EUR,
  status: 1,
  target_price: 0,
  stop_loss_price: 0,
  target_profit_price: 0,
  multiple: 100,
};

/** A whole server on a scripted market, over HTTP and websocket. */
export class TestExchange {
  readonly market: SerialMarket;
  readonly clock: FakeClock;
  /** Where `admin` finds the server. */
  readonly directory: string;
  private readonly app: App;
  private readonly url: string;
  private readonly clients: TestClient[] = [];

  private constructor(
    app: App,
    market: SerialMarket,
    clock: FakeClock,
    port: number,
    directory: string,
  ) {
    this.directory = directory;
    this.app = app;
    this.market = market;
    this.clock = clock;
    this.url = `127.0.0.1:${port}`;
  }

  static async open(db: Db, ...args: string[]): Promise<TestExchange> {
    const market = new SerialMarket([
      instrument(EUR, 'EURUSD'),
      instrument(XAU, 'XAUUSD', {
        ...{ precision: 2, unitsPerLot: toUnitsPerLot(100) },
        swap: { long: toUsd('-6.5'), short: toUsd('1.25'), triple: 4 },
      }),
      instrument(OIL, 'USOIL', { precision: 2, marginMode: 'fixed' }),
      instrument(BARE, 'BAREUSD', { leverages: [] }),
      instrument(NEW, 'NEWUSD'),
    ]);
    await market.tick([EUR, 1.1], [XAU, 2000], [OIL, 70], [BARE, 1]);
    const directory = dataDirectory();
    const command = readCommand(
      ['--port', '0', '--host', '127.0.0.1', '--data', directory, '--seed', '1', ...args],
      {},
    );
    if (command.name === 'help') throw new Error('only help');
    const clock = new FakeClock();
    const app = await createApp({
      config: command.config,
      // The test's database outlives the app.
      database: { db, onReclaimed() {}, close: async () => {} },
      market,
      clock,
      log: console,
      clientDirectory: 'none',
    });
    return new TestExchange(app, market, clock, await app.listen(), directory);
  }

  async close(): Promise<void> {
    for (const { socket } of this.clients) socket.terminate();
    await this.app.close();
  }

  /** In English unless `headers` say otherwise. */
  async get<T>(path: string, params: Params = {}, headers = {}): Promise<Envelope<T>> {
    return JSON.parse((await this.raw(path, params, headers)).text) as Envelope<T>;
  }

  raw(path: string, params: Params = {}, headers = {}, method = 'GET'): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return send(`http://${this.url}${path}?${query}`, {
      method,
      headers: { lang: 'en', ...headers },
    });
  }

  async demo(demo_id: string = randomUUID()): Promise<Trader> {
    const { data } = await this.get<SessionRow>('/api/user/createAccountDemoForU', { demo_id });
    return new Trader(this, data);
  }

  async connect(): Promise<TestClient> {
    const client = new TestClient(new WebSocket(`ws://${this.url}/v1/ws`));
    this.clients.push(client);
    await once(client.socket, 'open');
    return client;
  }
}
