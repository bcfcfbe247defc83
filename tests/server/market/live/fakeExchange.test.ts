import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../programs/fakeExchange/dialect';
import { dialects, type ExchangeName } from '../../../programs/fakeExchange/exchange';
import { codeOf, ExchangeMarket } from '../../../programs/fakeExchange/market';

const NOW = Date.UTC(2026, 10, 23, 10, 30);

/** What an exchange says that has traded for some minutes. */
function exchange(name: ExchangeName, past = 3) {
  const dialect = dialects[name];
  const market = new ExchangeMarket(dialect.pairs, 1);
  const [pair] = dialect.pairs;
  if (!pair) throw new Error('no pair');
  for (let minute = past; minute > 0; minute--) market.trade(codeOf(pair), NOW - minute * 60_000);
  const sent: unknown[] = [];
  let number = 0;
  const session: Session = {
    subscribed: new Set(),
    market,
    now: () => NOW,
    nextNumber: () => number++,
    send: (message) => sent.push(message),
    subscribing: () => {},
    pinged: () => {},
  };
  return {
    sent,
    trade: () => [dialect.trades([market.trade(codeOf(pair), NOW)], session)].flat()[0],
    topOfBook: () => dialect.topOfBook(pair, session),
    beat: () => dialect.heartbeat?.(session),
    asked: (message: object | string) => {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      dialect.received(text, session);
      return sent;
    },
    bars: (minutes: number) => market.bars(codeOf(pair), minutes),
    rest: (path: string) => dialect.rest(new URL(path, 'http://x'), market),
  };
}

/** Keys and kinds of a message: of a list its first element, of an object that has names of pairs any of them. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shape(value[0])] : [];
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      /^X?X?[A-Z]{6,8}$/.test(key) ? 'PAIR' : key,
      shape(each),
    ]),
  );
}

const fixture = (path: string) =>
  shape(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', path), 'utf8')));

const { kraken, coinbase, okx, bybit, binance } = {
  kraken: () => exchange('kraken'),
  coinbase: () => exchange('coinbase'),
  okx: () => exchange('okx'),
  bybit: () => exchange('bybit'),
  binance: () => exchange('binance'),
};
const subscribe = { method: 'subscribe', params: { channel: 'ticker', symbol: ['BTC/USD'] } };

describe('the fake exchange sends the keys and kinds that the exchange sends', () => {
  it.each<[string, () => unknown]>([
    ['kraken/ws_trade_update.json', () => kraken().trade()],
    ['kraken/ws_subscribe_response.json', () => kraken().asked({ ...subscribe, req_id: 1 })[0]],
    ['kraken/ws_ticker_snapshot.json', () => kraken().asked(subscribe)[1]],
    ['kraken/ws_pong.json', () => kraken().asked({ method: 'ping', req_id: 1 })[0]],
    ['kraken/http_ticker.json', () => kraken().rest('/0/public/Ticker')],
    ['coinbase/ws_market_trades.json', () => coinbase().trade()],
    ['coinbase/ws_ticker.json', () => coinbase().topOfBook()],
    [
      'coinbase/ws_heartbeats.json',
      () => {
        const { asked, beat } = coinbase();
        asked({ type: 'subscribe', channel: 'heartbeats' });
        return beat();
      },
    ],
    [
      'coinbase/ws_subscriptions.json',
      () => {
        const { asked } = coinbase();
        asked({ type: 'subscribe', channel: 'level2', product_ids: ['BTC-USD'] });
        return asked({ type: 'subscribe', channel: 'market_trades', product_ids: ['BTC-USD'] }).at(
          -1,
        );
      },
    ],
    [
      'coinbase/http_candles.json',
      () => {
        const span = `start=${NOW / 1000 - 3600}&end=${NOW / 1000 + 60}`;
        const candles = '/api/v3/brokerage/market/products/BTC-USD/candles';
        return coinbase().rest(`${candles}?granularity=ONE_MINUTE&${span}`);
      },
    ],
    ['okx/ws_trades.json', () => okx().trade()],
    ['okx/ws_tickers.json', () => okx().topOfBook()],
    ['okx/http_get_candlesticks.json', () => okx().rest('/api/v5/market/candles?instId=BTC-USDT')],
    ['bybit/ws_public_trade.json', () => bybit().trade()],
    [
      'bybit/http_get_klines_linear.json',
      () => bybit().rest('/v5/market/kline?symbol=BTCUSDT&interval=1'),
    ],
    [
      'binance/klines_response.json',
      () => binance().rest('/api/v3/klines?symbol=BTCUSDT&interval=1m'),
    ],
  ])('%s', (path, message) => {
    expect(shape(message())).toEqual(fixture(path));
  });
});

const HOUR = 3_600_000;
const candles = '/api/v3/brokerage/market/products/BTC-USD/candles';
const span = `start=${(NOW - 3 * HOUR) / 1000}&end=${NOW / 1000}`;
const calls: Partial<Record<ExchangeName, (bar: string) => string>> = {
  okx: (bar) => `/api/v5/market/candles?instId=BTC-USDT&bar=${bar}`,
  binance: (bar) => `/api/v3/klines?symbol=BTCUSDT&interval=${bar}`,
  coinbase: (bar) => `${candles}?granularity=${bar}&${span}`,
};

describe('the fake exchange answers bars of the length that was asked for', () => {
  it.each<[ExchangeName, number, string]>([
    ['okx', 5, '5m'],
    ['okx', 15, '15m'],
    ['okx', 30, '30m'],
    ['binance', 5, '5m'],
    ['binance', 15, '15m'],
    ['binance', 30, '30m'],
    ['coinbase', 5, 'FIVE_MINUTE'],
    ['coinbase', 15, 'FIFTEEN_MINUTE'],
    ['coinbase', 30, 'THIRTY_MINUTE'],
  ])('%s, %i minutes', (name, minutes, bar) => {
    const { bars, rest } = exchange(name, 120);
    const answer = JSON.stringify(rest(calls[name]?.(bar) ?? ''));
    const expected = bars(minutes);
    expect(expected).toHaveLength(120 / minutes);
    for (const { open, high, low, close, volume } of expected)
      for (const value of [open, high, low, close, volume]) expect(answer).toContain(value);
    expect(JSON.stringify(rest(calls[name]?.('7m') ?? ''))).toMatch(/error|-1120|51000/i);
  });
});
