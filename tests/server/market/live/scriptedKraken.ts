import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

interface Trade {
  time: number;
  price: number;
  volume: number;
  symbol?: string;
  id?: number;
}

/** Speaks as Kraken does, on loopback; the test says what and when. */
export class ScriptedKraken {
  readonly sockets = new Set<WebSocket>();
  /** Connections as to Binance, which stands beside it. */
  readonly binance = new Set<WebSocket>();
  binanceRows: unknown[][] = [];
  /** New connections are cut. */
  refusing = false;
  readonly subscribed: string[] = [];
  readonly calls: string[] = [];
  /** Rows of OHLC by interval: seconds, open, high, low, close, volume. */
  readonly rows = new Map<number, number[][]>();
  /** The status that REST answers with. */
  restStatus = 200;
  connections = 0;
  pairs = ['BTC/USD'];
  /** Of the pair at this place of the list. */
  turnoverOf = (index: number) => 99 - index;
  private readonly server: Server;
  private readonly sockets$: WebSocketServer;
  private lastId = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://x');
      this.calls.push(url.pathname + url.search);
      response.statusCode = this.restStatus;
      const body = url.pathname.startsWith('/api/')
        ? this.binanceAnswer(url)
        : { error: [], result: this.answer(url) };
      response.end(JSON.stringify(body));
    });
    this.sockets$ = new WebSocketServer({ server: this.server });
    this.sockets$.on('connection', (socket, request) => {
      if (request.url === '/ws') {
        this.binance.add(socket);
        socket.on('close', () => this.binance.delete(socket));
        socket.on('message', () => socket.send('{"result":null,"id":1}'));
        return;
      }
      if (request.url !== '/v2') socket.close();
      if (this.refusing) return socket.terminate();
      this.connections++;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('message', (data) => this.received(socket, JSON.parse(String(data))));
    });
  }

  static async start(): Promise<ScriptedKraken> {
    const kraken = new ScriptedKraken();
    await new Promise<void>((resolve) => {
      kraken.server.listen(0, '127.0.0.1', resolve);
    });
    return kraken;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.drop();
    for (const socket of this.binance) socket.terminate();
    this.sockets$.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  /** Cuts all connections. */
  drop(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  send(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    for (const socket of this.sockets) socket.send(text);
  }

  trades(trades: readonly Trade[], type: 'update' | 'snapshot' = 'update'): void {
    const data = trades.map(({ time, price, volume, symbol = 'BTC/USD', id }) => ({
      symbol,
      side: 'buy',
      price,
      qty: volume,
      ord_type: 'limit',
      trade_id: id ?? ++this.lastId,
      timestamp: new Date(time).toISOString(),
    }));
    this.send({ channel: 'trade', type, data });
  }

  topOfBook(bid: number, ask: number, symbol = 'BTC/USD'): void {
    this.send({ channel: 'ticker', type: 'update', data: [{ symbol, bid, ask }] });
  }

  binanceTrade(time: number, price: number, volume: number, id: number): void {
    const trade = {
      e: 'trade',
      E: time,
      s: 'BTCUSD',
      t: id,
      p: `${price}`,
      q: `${volume}`,
      T: time,
    };
    for (const socket of this.binance) socket.send(JSON.stringify(trade));
  }

  private binanceAnswer(url: URL): unknown {
    if (url.pathname.endsWith('klines')) return this.binanceRows;
    if (url.pathname.endsWith('24hr')) return [];
    const filters = [{ filterType: 'PRICE_FILTER', tickSize: '0.10' }];
    const pair = {
      symbol: 'BTCUSD',
      baseAsset: 'BTC',
      quoteAsset: 'USD',
      status: 'TRADING',
      filters,
    };
    return { symbols: [pair] };
  }

  private received(socket: WebSocket, message: { method?: string; params?: never }): void {
    const { channel = '', symbol = [] } = (message.params ?? {}) as {
      channel?: string;
      symbol?: string[];
    };
    if (message.method !== 'subscribe') return;
    for (const each of symbol) {
      this.subscribed.push(`${channel} ${each}`);
      const result = { channel, symbol: each };
      socket.send(JSON.stringify({ method: 'subscribe', success: true, result }));
    }
  }

  private answer(url: URL): unknown {
    if (url.pathname.endsWith('AssetPairs')) {
      return Object.fromEntries(
        this.pairs.map((name) => [
          name,
          { altname: name, wsname: name, pair_decimals: 1, ordermin: '0.05', status: 'online' },
        ]),
      );
    }
    if (url.pathname.endsWith('Ticker')) {
      const ticker = (rank: number) => ({ c: ['100', '1'], v: ['1', String(rank)], p: ['1', '1'] });
      return Object.fromEntries(
        this.pairs.map((name, index) => [name, ticker(this.turnoverOf(index))]),
      );
    }
    const since = Number(url.searchParams.get('since'));
    const rows = this.rows.get(Number(url.searchParams.get('interval'))) ?? [];
    const bars = rows
      .filter(([time = 0]) => time > since)
      .map(([time, open, high, low, close, volume]) => [
        time,
        ...[open, high, low, close, close].map(String),
        String(volume),
        1,
      ]);
    return { PAIR: bars, last: since };
  }
}
