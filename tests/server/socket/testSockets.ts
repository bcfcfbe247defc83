import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { type ClientOptions, WebSocket } from 'ws';
import type { OrderRow } from '#domain/api/trading';
import { Proxies } from '../../../server/http/proxies';
import type { Authenticate } from '../../../server/http/route';
import type { LoggedInUsers } from '../../../server/socket/logins';
import { Sockets } from '../../../server/socket/sockets';
import { serve } from '../http/testHttp';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';

export type Received = Record<string, unknown> & { type: string; data?: unknown; code?: number };

/** A websocket client that records what it receives. */
export class TestClient {
  readonly received: Received[] = [];
  readonly socket: WebSocket;
  private asked = 0;
  private answered = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const message: Received = JSON.parse(data.toString());
      this.received.push(message);
      if (message.type === 'pong') this.answered++;
    });
    socket.on('error', () => {});
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Resolves when everything sent before has been answered: the answer to a ping comes last. */
  async settled(): Promise<void> {
    this.asked++;
    this.send({ type: 'ping' });
    while (this.answered < this.asked) await once(this.socket, 'message');
  }

  /** Sends messages and waits until the server has handled them. */
  async ask(...messages: unknown[]): Promise<void> {
    for (const message of messages) this.send(message);
    await this.settled();
  }

  of(type: string): Received[] {
    return this.received.filter((message) => message.type === type);
  }

  /** The data of all messages of a type, batches flattened. */
  data<T>(type: string): T[] {
    return this.of(type).flatMap(({ data }) => data as T | T[]);
  }

  forget(): void {
    this.received.length = 0;
    this.asked = 0;
    this.answered = 0;
  }

  async closed(): Promise<number> {
    if (this.socket.readyState === WebSocket.CLOSED) return 1006;
    const [code] = await once(this.socket, 'close');
    return code;
  }
}

export interface TestSockets {
  url: string;
  app: FastifyInstance;
  market: ScriptedMarket;
  clock: FakeClock;
  sockets: Sockets;
  /** `query` goes to the end of the address. */
  connect(
    headers?: Record<string, string>,
    options?: ClientOptions & { query?: string },
  ): Promise<TestClient>;
  close(): Promise<void>;
}

export async function startSockets(
  options: {
    lossless?: boolean;
    authenticate?: Authenticate;
    users?: LoggedInUsers;
    instruments?: number;
    trustProxy?: string[];
  } = {},
): Promise<TestSockets> {
  const {
    lossless = false,
    authenticate = async () => undefined,
    users,
    instruments = 3,
    trustProxy = [],
  } = options;
  const codes = ['EURUSD', 'NZDUSD', 'XAUUSD'];
  const market = new ScriptedMarket(
    Array.from({ length: instruments }, (_, i) =>
      instrument(i + 1, codes[i] ?? `CODE${i + 1}`, i === 2 ? { precision: 2 } : {}),
    ),
  );
  const clock = new FakeClock();
  const origins = ['https://m.example.com'];
  const sockets = new Sockets({
    market,
    authenticate,
    users,
    clock,
    origins,
    proxies: new Proxies(trustProxy, console),
    lossless,
    log: console,
  });
  const { url, app } = await serve((server) => {
    sockets.attach(server.server);
    server.addHook('preClose', () => sockets.close());
  });
  const clients: TestClient[] = [];
  return {
    url,
    app,
    market,
    clock,
    sockets,
    async connect(headers = {}, { query = '', ...options } = {}) {
      const address = `${url.replace('http', 'ws')}/v1/ws${query}`;
      const socket = new WebSocket(address, { ...options, headers });
      const client = new TestClient(socket);
      clients.push(client);
      await once(socket, 'open');
      return client;
    },
    async close() {
      for (const { socket } of clients) socket.terminate();
      await app.close();
    },
  };
}

/** A position as it is pushed. */
export function sampleOrder(id: number): OrderRow {
  return {
    Id: id,
    ForexTradeLists: { Id: 1, Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: 5 },
    OrderType: 1,
    Quantity: '1',
    Multiple: '100',
    OriginPrice: '1.08423',
    Price: '1.08423',
    UpdatePrice: '1.08423',
    FactProfits: '0.000000',
    CautionMoney: '1084.23',
    TradeFee: '5.00',
    TargetLossPrice: '0',
    TargetProfitPrice: '0',
    Status: 1,
    CreateTimeHandler: '2026-01-31T08:00:00.000Z',
    CompleteTimeHandler: '',
    CloseReason: '',
  };
}
