import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Decoded, ListedPair } from '../../../../server/market/live/codec';
import { CODECS, type ExchangeKey } from '../../../../server/market/live/codecs/codecs';

const folder = join(import.meta.dirname, 'fixtures');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const decode = (exchange: ExchangeKey, file: string) =>
  CODECS[exchange].decode(read(`${exchange}/${file}`));
const kindsOf = ({ events }: Decoded) => events.map(({ kind }) => kind);

const pair = (symbol: string): ListedPair => ({
  symbol,
  restSymbol: symbol,
  base: 'BTC',
  quote: 'USD',
  precision: 2,
  minimum: 0,
  turnover: 0,
  price: 0,
});

describe('what the exchanges have sent', () => {
  const websocket = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(ws_\w+|stream\w*)\.json$/.test(name))
    .map((name) => name.split('/') as [ExchangeKey, string]);

  it.each(websocket)('%s %s is understood, or ignored by name', (exchange, file) => {
    const kinds = kindsOf(decode(exchange, file));
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds).not.toContain('malformed');
    expect(kinds).not.toContain('refused');
  });

  it('are trades, with the exchange’s own time', () => {
    expect(decode('kraken', 'ws_trade_update.json').events).toEqual([
      {
        kind: 'trade',
        symbol: 'BTC/USD',
        price: 105944.2,
        volume: 0.00027625,
        time: Date.UTC(2023, 9, 6, 17, 35, 55, 440),
        id: '10218208',
      },
      {
        kind: 'trade',
        symbol: 'BTC/USD',
        price: 105910.5,
        volume: 0.0001246,
        time: Date.UTC(2023, 9, 6, 17, 35, 56, 123),
        id: '10218209',
      },
    ]);
    expect(decode('binance', 'agg_trade_stream.json').events).toEqual([
      {
        kind: 'trade',
        symbol: 'BTCUSDT',
        price: 0.001,
        volume: 100,
        time: 123456785,
        id: '5933014',
      },
    ]);
    expect(decode('coinbase', 'ws_market_trades.json')).toMatchObject({
      sequence: 5,
      events: [
        { symbol: 'BTC-USD', price: 68900.5, volume: 0.0015, id: '995098700' },
        {
          symbol: 'BTC-USD',
          price: 68900,
          volume: 0.05,
          time: Date.UTC(2026, 3, 7, 14, 30, 2, 800),
        },
      ],
    });
    expect(decode('okx', 'ws_trades.json').events).toEqual([
      {
        kind: 'trade',
        symbol: 'BTC-USD',
        price: 42219.9,
        volume: 0.12060306,
        time: 1630048897897,
        id: '130639474',
      },
    ]);
    expect(decode('bybit', 'ws_public_trade.json').events).toMatchObject([
      { symbol: 'BTCUSDT', price: 27451, volume: 0.01, time: 1709891679000 },
    ]);
    const bitstamp = {
      data: {
        id: 635698396,
        amount: 0.005,
        amount_str: '0.00500000',
        price: 2468.04,
        price_str: '2468.04',
        timestamp: '1789459694',
        microtimestamp: '1789459694223000',
        type: 0,
      },
      channel: 'live_trades_ethusdt',
      event: 'trade',
    };
    expect(CODECS.bitstamp.decode(JSON.stringify(bitstamp)).events).toEqual([
      {
        kind: 'trade',
        symbol: 'ethusdt',
        price: 2468.04,
        volume: 0.005,
        time: 1789459694223,
        id: '635698396',
      },
    ]);
  });

  it('are the best bid and ask', () => {
    const bookOf = (exchange: ExchangeKey, file: string) => decode(exchange, file).events[0];
    expect(bookOf('kraken', 'ws_ticker_snapshot.json')).toEqual({
      kind: 'book',
      symbol: 'BTC/USD',
      bid: 105944.2,
      ask: 105944.3,
    });
    expect(bookOf('coinbase', 'ws_ticker.json')).toMatchObject({ bid: 68900, ask: 68901 });
    expect(bookOf('okx', 'ws_tickers.json')).toMatchObject({ bid: 8888.88, ask: 9999.99 });
    expect(bookOf('bybit', 'ws_ticker_linear.json')).toMatchObject({ bid: 17215.5, ask: 17216 });
    expect(
      CODECS.binance.decode('{"u":4,"s":"BNBUSDT","b":"25.35","B":"31","a":"25.36","A":"40"}')
        .events,
    ).toEqual([{ kind: 'book', symbol: 'BNBUSDT', bid: 25.35, ask: 25.36 }]);
    // A change of one side tells nothing here.
    const delta =
      '{"topic":"orderbook.1.BTCUSDT","type":"delta","data":{"s":"BTCUSDT","b":[],"a":[["2","1"]]}}';
    expect(kindsOf(CODECS.bybit.decode(delta))).toEqual(['ignored']);
  });

  it('are control messages', () => {
    expect(decode('kraken', 'ws_pong.json').events).toEqual([
      { kind: 'alive', time: Date.UTC(2023, 8, 25, 9, 5, 0, 123) },
    ]);
    expect(decode('coinbase', 'ws_heartbeats.json')).toMatchObject({
      sequence: 0,
      events: [{ kind: 'alive', time: Date.UTC(2026, 3, 7, 14, 30, 10) }],
    });
    expect(decode('coinbase', 'ws_subscriptions.json').events.slice(1)).toEqual([
      { kind: 'answered', taken: ['BTC-USD', 'ETH-USD'] },
    ]);
    const { events } = CODECS.kraken.decode(
      '{"error":"Currency pair not supported X/USD","method":"subscribe","success":false,"symbol":"X/USD"}',
    );
    expect(events).toEqual([
      { kind: 'refused', reason: 'Currency pair not supported X/USD', symbol: 'X/USD' },
    ]);
    expect(
      kindsOf(CODECS.bitstamp.decode('{"event":"bts:request_reconnect","channel":"","data":""}')),
    ).toEqual(['reconnect']);
  });

  it('of OKX, two minutes of one connection, are understood to the last', () => {
    const lines = gunzipSync(readFileSync(join(folder, 'okx/capture-2022-05-13.txt.gz')))
      .toString()
      .split('\n')
      .filter((line) => /^\d/.test(line));
    const counts = new Map<string, number>();
    for (const line of lines) {
      for (const kind of kindsOf(CODECS.okx.decode(line.slice(line.indexOf(': ') + 2)))) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    expect(lines.length).toBeGreaterThan(300);
    expect(counts.get('malformed')).toBeUndefined();
    expect(counts.get('refused')).toBeUndefined();
    expect(counts.get('trade')).toBeGreaterThan(20);
    expect(counts.get('book')).toBeGreaterThan(20);
  });
});

describe('messages that make no sense', () => {
  const EXCHANGES = Object.values(CODECS);

  it.each(EXCHANGES)('are reported as malformed by $key', ({ decode }) => {
    for (const text of ['', '{', '[]', 'null', '"x"', '\u0000', '{"data":null}']) {
      expect(kindsOf(decode(text)), text).toEqual(['malformed']);
    }
  });

  it('do not hide the others of a message', () => {
    const message = JSON.parse(read('kraken/ws_trade_update.json'));
    message.data[0].price = 'NaN';
    expect(kindsOf(CODECS.kraken.decode(JSON.stringify(message)))).toEqual(['malformed', 'trade']);
    message.data[1].qty = -1;
    expect(kindsOf(CODECS.kraken.decode(JSON.stringify(message)))).toEqual([
      'malformed',
      'malformed',
    ]);
  });
});

describe('Coinbase', () => {
  it('lists its trades newest first, in updates too: they are read in their order', () => {
    const trade = (trade_id: string, time: string) => {
      return { product_id: 'BTC-USD', trade_id, price: '63310.25', size: '0.1', time, side: 'BUY' };
    };
    const trades = [
      trade('1069726293', '2026-08-12T19:27:48.298771Z'),
      trade('1069726292', '2026-08-12T19:27:48.266642Z'),
      trade('999999999', '2026-08-12T19:27:48.266142Z'),
    ];
    const events = [{ type: 'update', trades }];
    const message = { channel: 'market_trades', sequence_num: 2, events };
    const decoded = CODECS.coinbase.decode(JSON.stringify(message)).events;
    expect(decoded.map((event) => event.kind === 'trade' && event.id)).toEqual([
      '999999999',
      '1069726292',
      '1069726293',
    ]);
  });

  it('has one book for pairs in USD and in USDC', async () => {
    const product = (quote: string, alias: string) => ({
      product_id: `BTC-${quote}`,
      base_currency_id: 'BTC',
      quote_currency_id: quote,
      price: '63310.25',
      price_increment: '0.01',
      alias,
    });
    const products = [product('USD', ''), product('USDC', 'BTC-USD')];
    expect(await CODECS.coinbase.pairs(async () => ({ products }))).toMatchObject([
      { quote: 'USD', symbol: 'BTC-USD', restSymbol: 'BTC-USD' },
      { quote: 'USDC', symbol: 'BTC-USD', restSymbol: 'BTC-USDC' },
    ]);
  });
});

describe('Bitstamp', () => {
  it('lists spot pairs; an older address of the list does too', async () => {
    const market = {
      name: 'BTC/USD',
      market_symbol: 'btcusd',
      base_currency: 'BTC',
      counter_currency: 'USD',
      counter_decimals: 0,
      trading: 'Enabled',
      market_type: 'SPOT',
    };
    const future = { ...market, market_symbol: 'btcusd-perp', market_type: 'PERPETUAL' };
    const old = {
      name: 'BTC/USD',
      url_symbol: 'btcusd',
      counter_decimals: 0,
      trading: 'Enabled',
    };
    const listed = { symbol: 'btcusd', base: 'BTC', quote: 'USD', precision: 0 };
    for (const [call, answer] of [
      ['markets', [market, future]],
      ['trading-pairs-info', [old]],
    ] as const) {
      const pairs = CODECS.bitstamp.pairs(async (path) => {
        if (path === '/api/v2/ticker/') return [];
        if (path !== `/api/v2/${call}/`) throw new Error('HTTP 404');
        return answer;
      });
      expect(await pairs).toMatchObject([listed]);
    }
  });
});

describe('klines', () => {
  const klines = (exchange: ExchangeKey, answer: unknown, since = 0, now = 2e12) =>
    CODECS[exchange].klines(
      async () => answer,
      pair('BTC-USD'),
      '1min',
      toUnixMs(since),
      toUnixMs(now),
    );

  it('are read, oldest first, from what the exchanges have sent', async () => {
    expect(await klines('binance', JSON.parse(read('binance/klines_response.json')))).toEqual([
      {
        time: 1499040000,
        open: 0.0163479,
        high: 0.8,
        low: 0.015758,
        close: 0.015771,
        volume: 148976.11427815,
      },
    ]);
    expect(await klines('coinbase', JSON.parse(read('coinbase/http_candles.json')))).toMatchObject([
      { time: 1712188800, open: 65984.18, close: 66314.59 },
      { time: 1712192400, volume: 355.82896243 },
    ]);
    expect(await klines('okx', JSON.parse(read('okx/http_get_candlesticks.json')))).toMatchObject([
      { time: 1625097600, low: 33528.6 },
      { time: 1625097660, volume: 0.123 },
    ]);
    expect(
      await klines('bybit', JSON.parse(read('bybit/http_get_klines_linear.json'))),
    ).toMatchObject([{ open: 27450, high: 27460, low: 27440, close: 27455, volume: 123.45 }]);
    const ohlc = [
      1688671200,
      '30306.1',
      '30306.2',
      '30305.7',
      '30305.7',
      '30306.1',
      '3.39243896',
      23,
    ];
    const quiet = [1688671260, '30305.7', '30305.7', '30305.7', '30305.7', '0.0', '0.00000000', 0];
    const kraken = { error: [], result: { XXBTZUSD: [ohlc, quiet], last: 1688671200 } };
    // A minute without a trade has no bar.
    expect(await klines('kraken', kraken)).toEqual([
      {
        time: 1688671200,
        open: 30306.1,
        high: 30306.2,
        low: 30305.7,
        close: 30305.7,
        volume: 3.39243896,
      },
    ]);
    const row = {
      timestamp: '1688671200',
      open: '1',
      high: '2',
      low: '1',
      close: '2',
      volume: '3.5',
    };
    expect(await klines('bitstamp', { data: { ohlc: [row], pair: 'BTC/USD' } })).toMatchObject([
      { time: 1688671200, high: 2, volume: 3.5 },
    ]);
  });

  it('that did not come are an error', async () => {
    for (const exchange of Object.keys(CODECS) as ExchangeKey[]) {
      await expect(klines(exchange, { error: ['EGeneral:Too many requests'] })).rejects.toThrow();
    }
  });
});

describe('the pairs of Kraken', () => {
  it('have today’s names, exact decimals and those quoted in dollars only', async () => {
    const pairs = await CODECS.kraken.pairs(async (path) => {
      if (path.includes('Ticker')) {
        const ticker = JSON.parse(read('kraken/http_ticker.json'));
        return { error: [], result: { XBTUSDT: ticker.result.XBTUSDT } };
      }
      return {
        error: [],
        result: {
          XBTUSDT: {
            altname: 'XBTUSDT',
            wsname: 'XBT/USDT',
            pair_decimals: 1,
            ordermin: '0.00005',
            status: 'online',
          },
          XDGEUR: { altname: 'XDGEUR', wsname: 'XDG/EUR', pair_decimals: 7, status: 'online' },
          OLDUSD: { altname: 'OLDUSD', wsname: 'OLD/USD', pair_decimals: 7, status: 'cancel_only' },
        },
      };
    });
    expect(pairs).toEqual([
      {
        symbol: 'BTC/USDT',
        restSymbol: 'XBTUSDT',
        base: 'BTC',
        quote: 'USDT',
        precision: 1,
        minimum: 0.00005,
        turnover: 163.28908096 * 105904.39279,
        price: 105899.4,
      },
    ]);
  });
});
