import { readFields, readNumber, readText } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import type { Codec } from '../codec';
import {
  alive,
  answered,
  barsOf,
  decimalsOfStep,
  eventsOf,
  fieldsOf,
  ignored,
  malformed,
  parseFields,
  QUOTES,
  readBar,
  readMs,
  readTopOfBook,
  readTrade,
} from './reading';

/** Days begin at midnight UTC only with this name. */
const BARS: Readonly<Record<Period, string>> = {
  '1min': '1m',
  '5min': '5m',
  '15min': '15m',
  '30min': '30m',
  '60min': '1H',
  '1day': '1Dutc',
};
/** The newest bars come in one call; older ones have a call of their own, of which fewer may be made. */
const AT_ONCE = 300;
const HISTORY_AT_ONCE = 100;

/** www.okx.com/docs-v5: public channels and market data. */
export const okx: Codec = {
  key: 'okx',
  name: 'OKX',
  terms: 'https://www.okx.com/help/terms-of-service',
  websocket: 'wss://ws.okx.com:8443/ws/v5/public',
  rest: 'https://www.okx.com',
  limits: {
    symbolsPerConnection: 200,
    symbolsPerRequest: 50,
    // 480 subscriptions an hour a connection, three connections a second.
    messageEvery: toDurationMs(350),
    // 40 calls in two seconds.
    callEvery: toDurationMs(55),
    klinesPerCall: AT_ONCE,
    connectionLife: toDurationMs(23 * 3_600_000),
  },
  ping: 'ping',

  subscribe(symbols, id) {
    const args = symbols.flatMap((instId) => [
      { channel: 'trades', instId },
      { channel: 'tickers', instId },
    ]);
    return [JSON.stringify({ id, op: 'subscribe', args })];
  },

  decode(text) {
    if (text === 'pong') return alive();
    const message = parseFields(text);
    if (!message) return malformed('no JSON object');
    const arg = readFields(message['arg']);
    const channel = readText(arg?.['channel']);
    const { event } = message;
    if (event === 'error') {
      const reason = readText(message['msg']) ?? 'without a reason';
      const symbol = readText(arg?.['instId']) ?? /instId:([^\s,]+)/.exec(reason)?.[1];
      return symbol
        ? { events: [{ kind: 'refused', reason, symbol }] }
        : answered(readText(message['id']), reason);
    }
    if (event === 'notice') return { events: [{ kind: 'reconnect' }] };
    if (event === 'subscribe') {
      const symbol = readText(arg?.['instId']);
      if (channel !== 'trades' || !symbol) return alive();
      return { events: [{ kind: 'alive' }, { kind: 'subscribed', symbol }] };
    }
    if (typeof event === 'string') return ignored(event);
    if (!channel) return malformed(`neither event nor channel: ${text.slice(0, 200)}`);
    if (channel === 'trades') {
      const events = eventsOf(fieldsOf(message['data']), 'trade', (row) =>
        readTrade(row['instId'], row['px'], row['sz'], readMs(row['ts']), row['tradeId']),
      );
      return { events };
    }
    if (channel === 'tickers') {
      const events = eventsOf(
        fieldsOf(message['data']),
        'ticker',
        (row) =>
          readTopOfBook(row['instId'], row['bidPx'], row['askPx']) ??
          (typeof row['instId'] === 'string' ? { kind: 'ignored', what: 'empty book' } : undefined),
      );
      return { events };
    }
    return ignored(channel);
  },

  async pairs(get) {
    const rows = dataOf(await get('/api/v5/public/instruments?instType=SPOT'));
    const tickers = new Map(
      fieldsOf(dataOf(await get('/api/v5/market/tickers?instType=SPOT'))).map((row) => [
        row['instId'],
        row,
      ]),
    );
    return fieldsOf(rows).flatMap((row) => {
      const [symbol, base, quote] = [row['instId'], row['baseCcy'], row['quoteCcy']].map(readText);
      if (!symbol || !base || !quote || !QUOTES.has(quote) || row['state'] !== 'live') return [];
      const ticker = tickers.get(symbol);
      return {
        symbol,
        restSymbol: symbol,
        base,
        quote,
        precision: decimalsOfStep(row['tickSz']),
        minimum: readNumber(row['minSz']) ?? 0,
        turnover: readNumber(ticker?.['volCcy24h']) ?? 0,
        price: readNumber(ticker?.['last']) ?? 0,
      };
    });
  },

  async klines(get, pair, period, since, now) {
    const length = PERIOD_SECONDS[period] * 1000;
    const age = Math.ceil((now - since) / length);
    const query = `instId=${encodeURIComponent(pair.restSymbol)}&bar=${BARS[period]}`;
    // `before` means newer than, `after` older than, and both are exclusive.
    if (age < AT_ONCE) {
      const path = `/api/v5/market/candles?${query}&before=${since - 1}&limit=${AT_ONCE}`;
      return bars(dataOf(await get(path)));
    }
    const parts: Bar[][] = [];
    const end = since + AT_ONCE * length;
    for (let start: number = since; start < Math.min(end, now); start += HISTORY_AT_ONCE * length) {
      const range = `before=${start - 1}&after=${start + HISTORY_AT_ONCE * length}`;
      const path = `/api/v5/market/history-candles?${query}&${range}&limit=${HISTORY_AT_ONCE}`;
      parts.push(bars(dataOf(await get(path, 2))));
    }
    // History ends with the last bar that is over.
    if (end > now) {
      const path = `/api/v5/market/candles?${query}&before=${now - 2 * length}&limit=${AT_ONCE}`;
      parts.push(bars(dataOf(await get(path))));
    }
    return [...new Map(parts.flat().map((bar) => [bar.time, bar])).values()];
  },
};

function bars(rows: unknown): Bar[] {
  return barsOf(rows, ([time, open, high, low, close, volume]) =>
    readBar(Number(time) / 1000, open, high, low, close, volume),
  );
}

function dataOf(answer: unknown): unknown {
  const fields = readFields(answer);
  if (fields?.['code'] !== '0') throw new Error(`OKX: ${readText(fields?.['msg']) ?? 'no answer'}`);
  return fields['data'];
}
