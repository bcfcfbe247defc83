import { readFields, readNumber, readText } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
import { PERIOD_SECONDS } from '#domain/market/period';
import type { Codec, Decoded, LiveEvent } from '../codec';
import {
  alive,
  answered,
  barsOf,
  eventsOf,
  fieldsOf,
  ignored,
  malformed,
  parseFields,
  QUOTES,
  readBar,
  readDate,
  readTopOfBook,
  readTrade,
} from './reading';

/** REST has kept old names of two coins. */
const RENAMED: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };

/** docs.kraken.com, Spot WebSocket v2 and Market Data. */
export const kraken: Codec = {
  key: 'kraken',
  name: 'Kraken',
  terms: 'https://www.kraken.com/legal',
  websocket: 'wss://ws.kraken.com/v2',
  rest: 'https://api.kraken.com',
  limits: {
    symbolsPerConnection: 250,
    symbolsPerRequest: 50,
    messageEvery: toDurationMs(100),
    // Calls for klines are limited to one a second for each pair, not over all.
    callEvery: toDurationMs(25),
    klinesPerCall: 720,
    latestKlinesOnly: true,
    connectionLife: toDurationMs(23 * 3_600_000),
  },
  ping: '{"method":"ping"}',

  subscribe(symbol, request) {
    return [
      { channel: 'trade', symbol, snapshot: true },
      { channel: 'ticker', symbol, event_trigger: 'bbo', snapshot: true },
    ].map((params) => JSON.stringify({ method: 'subscribe', params, req_id: Number(request) }));
  },

  decode(text) {
    const message = parseFields(text);
    if (!message) return malformed('no JSON object');
    const { channel, type, method } = message;
    if (channel === 'heartbeat') return alive();
    if (channel === 'trade') {
      const past = type === 'snapshot';
      const rows = fieldsOf(message['data']);
      // A pair without trades has an empty snapshot.
      if (past && rows.length === 0) return ignored('empty snapshot');
      const events = eventsOf(rows, 'trade', (row) => {
        const time = readDate(row['timestamp']);
        const trade = readTrade(row['symbol'], row['price'], row['qty'], time, row['trade_id']);
        return trade && (past ? { ...trade, past } : trade);
      });
      return { events };
    }
    if (channel === 'ticker') {
      const events = eventsOf(
        fieldsOf(message['data']),
        'ticker',
        (row) =>
          readTopOfBook(row['symbol'], row['bid'], row['ask']) ?? ignoredTopOfBook(row['symbol']),
      );
      return { events };
    }
    if (method === 'pong')
      return alive(readDate(message['time_out']) ?? readDate(message['time_in']));
    if (method === 'subscribe') return subscription(message);
    if (channel === 'status') {
      const [status] = fieldsOf(message['data']);
      return status ? ignored(`status ${readText(status['system'])}`) : malformed('status');
    }
    if (typeof channel === 'string') return ignored(channel);
    if (typeof method === 'string') return ignored(method);
    return malformed(`neither channel nor method: ${text.slice(0, 200)}`);
  },

  async pairs(get) {
    const [pairs, tickers] = [
      resultOf(await get('/0/public/AssetPairs')),
      resultOf(await get('/0/public/Ticker')),
    ];
    return Object.entries(pairs).flatMap(([name, value]) => {
      const pair = readFields(value);
      const [base = '', quote = ''] = (readText(pair?.['wsname']) ?? '').split('/');
      if (!pair || !QUOTES.has(quote) || (pair['status'] ?? 'online') !== 'online') return [];
      const code = RENAMED[base] ?? base;
      const ticker = readFields(tickers[name]) ?? {};
      const at = (field: string, index: number) =>
        readNumber((ticker[field] as unknown[] | undefined)?.[index]) ?? 0;
      return {
        symbol: `${code}/${quote}`,
        restSymbol: readText(pair['altname']) ?? name,
        base: code,
        quote,
        precision: readNumber(pair['pair_decimals']) ?? 2,
        minimum: readNumber(pair['ordermin']) ?? 0,
        turnover: at('v', 1) * at('p', 1),
        price: at('c', 0),
      };
    });
  },

  async klines(get, pair, period, since) {
    const interval = PERIOD_SECONDS[period] / 60;
    // `since` is exclusive.
    const from = Math.max(0, Math.floor(since / 1000) - 1);
    const query = `pair=${encodeURIComponent(pair.restSymbol)}&interval=${interval}&since=${from}`;
    const result = resultOf(await get(`/0/public/OHLC?${query}`));
    const rows = Object.entries(result).find(([name]) => name !== 'last')?.[1];
    return barsOf(rows, ([time, open, high, low, close, , volume]) =>
      readBar(time, open, high, low, close, volume),
    ).filter(({ time }) => time * 1000 >= since);
  },
};

/** A side of the book may be empty for a while. */
function ignoredTopOfBook(symbol: unknown): LiveEvent | undefined {
  return typeof symbol === 'string' ? { kind: 'ignored', what: `book of ${symbol}` } : undefined;
}

function subscription(message: Readonly<Record<string, unknown>>): Decoded {
  const result = readFields(message['result']) ?? {};
  const symbol = readText(result['symbol']) ?? readText(message['symbol']);
  if (message['success'] === false) {
    const reason = readText(message['error']) ?? 'without a reason';
    return symbol
      ? { events: [{ kind: 'refused', reason, symbol }] }
      : answered(readText(message['req_id']), reason);
  }
  if (!symbol) return malformed('subscribed to no symbol');
  const time = readDate(message['time_out']);
  const alive: LiveEvent = time === undefined ? { kind: 'alive' } : { kind: 'alive', time };
  return {
    events: result['channel'] === 'trade' ? [alive, { kind: 'subscribed', symbol }] : [alive],
  };
}

function resultOf(answer: unknown): Readonly<Record<string, unknown>> {
  const fields = readFields(answer);
  const errors = fields?.['error'];
  if (Array.isArray(errors) && errors.length > 0) throw new Error(`Kraken: ${errors.join(', ')}`);
  const result = readFields(fields?.['result']);
  if (!result) throw new Error('Kraken sent no result');
  return result;
}
