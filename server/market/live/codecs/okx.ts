import { readFields, readNumber, readText } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
import type { Period } from '#domain/market/period';
import type { Codec } from '../codec';
import {
  alive,
  barsOf,
  chunks,
  decimalsOfStep,
  eventsOf,
  fieldsOf,
  ignored,
  malformed,
  parseFields,
  QUOTES,
  readBar,
  readBook,
  readMs,
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
const SYMBOLS_PER_MESSAGE = 50;

/** www.okx.com/docs-v5: public channels and market data. */
export const okx: Codec = {
  key: 'okx',
  name: 'OKX',
  terms: 'https://www.okx.com/help/terms-of-service',
  websocket: 'wss://ws.okx.com:8443/ws/v5/public',
  rest: 'https://www.okx.com',
  limits: {
    symbolsPerConnection: 200,
    // 480 subscriptions an hour a connection, three connections a second.
    messageEvery: toDurationMs(350),
    // 40 calls in two seconds.
    callEvery: toDurationMs(55),
    klinesPerCall: 300,
    connectionLife: toDurationMs(23 * 3_600_000),
  },
  ping: 'ping',

  subscribe(symbols) {
    return chunks(symbols, SYMBOLS_PER_MESSAGE).map((part) =>
      JSON.stringify({
        op: 'subscribe',
        args: part.flatMap((instId) => [
          { channel: 'trades', instId },
          { channel: 'tickers', instId },
        ]),
      }),
    );
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
      const symbol = readText(arg?.['instId']) ?? /instId:([\w-]+)/.exec(reason)?.[1];
      return {
        events: [symbol ? { kind: 'refused', reason, symbol } : { kind: 'refused', reason }],
      };
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
          readBook(row['instId'], row['bidPx'], row['askPx']) ??
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

  async klines(get, pair, period, since) {
    // `before` means newer than, and is exclusive.
    const query = `instId=${pair.restSymbol}&bar=${BARS[period]}&before=${since - 1}&limit=300`;
    const rows = dataOf(await get(`/api/v5/market/candles?${query}`));
    return barsOf(rows, ([time, open, high, low, close, volume]) =>
      readBar(Number(time) / 1000, open, high, low, close, volume),
    );
  },
};

function dataOf(answer: unknown): unknown {
  const fields = readFields(answer);
  if (fields?.['code'] !== '0') throw new Error(`OKX: ${readText(fields?.['msg']) ?? 'no answer'}`);
  return fields['data'];
}
