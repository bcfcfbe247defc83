import { readFields, readNumber, readText } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
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

const INTERVALS: Readonly<Record<Period, string>> = {
  '1min': '1',
  '5min': '5',
  '15min': '15',
  '30min': '30',
  '60min': '60',
  '1day': 'D',
};
const MOST_KLINES = 1000;

/** bybit-exchange.github.io/docs/v5: public spot topics and market data. */
export const bybit: Codec = {
  key: 'bybit',
  name: 'Bybit',
  terms: 'https://www.bybit.com/app/terms-service/terms-conditions',
  websocket: 'wss://stream.bybit.com/v5/public/spot',
  rest: 'https://api.bybit.com',
  limits: {
    symbolsPerConnection: 100,
    // Spot takes ten topics in a message; two a pair.
    symbolsPerRequest: 5,
    messageEvery: toDurationMs(60),
    // 600 calls in five seconds.
    callEvery: toDurationMs(20),
    klinesPerCall: MOST_KLINES,
    connectionLife: toDurationMs(23 * 3_600_000),
  },
  mayOpenAtClose: true,
  ping: '{"op":"ping"}',

  subscribe(symbols, request) {
    const args = symbols.flatMap((symbol) => [`publicTrade.${symbol}`, `orderbook.1.${symbol}`]);
    return [JSON.stringify({ op: 'subscribe', req_id: request, args })];
  },

  decode(text) {
    const message = parseFields(text);
    if (!message) return malformed('no JSON object');
    const topic = readText(message['topic']);
    if (topic === undefined) return control(message, text);
    const [kind] = topic.split('.');
    if (kind === 'publicTrade' || kind === 'trade') {
      const events = eventsOf(fieldsOf(message['data']), 'trade', (row) =>
        readTrade(row['s'], row['p'], row['v'], readMs(row['T']), row['i']),
      );
      return { events };
    }
    const data = readFields(message['data']);
    if (kind === 'orderbook' && data) {
      const best = (side: unknown) => (side as unknown[][] | undefined)?.[0]?.[0];
      const topOfBook = readTopOfBook(data['s'], best(data['b']), best(data['a']));
      return topOfBook ? { events: [topOfBook] } : ignored('change of one side of the book');
    }
    if (kind === 'tickers' && data) {
      const topOfBook = readTopOfBook(data['symbol'], data['bid1Price'], data['ask1Price']);
      return topOfBook ? { events: [topOfBook] } : ignored('ticker without a book');
    }
    return data || Array.isArray(message['data']) ? ignored(topic) : malformed(topic);
  },

  async pairs(get) {
    const rows = listOf(await get('/v5/market/instruments-info?category=spot'));
    const tickers = new Map(
      fieldsOf(listOf(await get('/v5/market/tickers?category=spot'))).map((row) => [
        row['symbol'],
        row,
      ]),
    );
    return fieldsOf(rows).flatMap((row) => {
      const [symbol, base, quote] = [row['symbol'], row['baseCoin'], row['quoteCoin']].map(
        readText,
      );
      if (!symbol || !base || !quote || !QUOTES.has(quote) || row['status'] !== 'Trading')
        return [];
      const ticker = tickers.get(symbol);
      return {
        symbol,
        restSymbol: symbol,
        base,
        quote,
        precision: decimalsOfStep(readFields(row['priceFilter'])?.['tickSize']),
        minimum: readNumber(readFields(row['lotSizeFilter'])?.['minOrderQty']) ?? 0,
        turnover: readNumber(ticker?.['turnover24h']) ?? 0,
        price: readNumber(ticker?.['lastPrice']) ?? 0,
      };
    });
  },

  async klines(get, pair, period, since) {
    const query = `category=spot&symbol=${encodeURIComponent(pair.restSymbol)}&interval=${INTERVALS[period]}`;
    // Of a longer time it would be the newest ones.
    const end = since + MOST_KLINES * PERIOD_SECONDS[period] * 1000 - 1;
    const range = `start=${since}&end=${end}&limit=${MOST_KLINES}`;
    const rows = listOf(await get(`/v5/market/kline?${query}&${range}`));
    return barsOf(rows, ([time, open, high, low, close, volume]) =>
      readBar(Number(time) / 1000, open, high, low, close, volume),
    );
  },
};

function control(message: Readonly<Record<string, unknown>>, text: string) {
  const { op, success } = message;
  if (op === 'ping' || op === 'pong' || message['ret_msg'] === 'pong') return alive();
  const request = readText(message['req_id']);
  if (success === false) {
    return answered(request, readText(message['ret_msg']) ?? 'without a reason');
  }
  if (op === 'subscribe') return answered(request);
  return typeof op === 'string' ? ignored(op) : malformed(`unknown message ${text.slice(0, 200)}`);
}

function listOf(answer: unknown): unknown {
  const fields = readFields(answer);
  if (fields?.['retCode'] !== 0) {
    throw new Error(`Bybit: ${readText(fields?.['retMsg']) ?? 'no answer'}`);
  }
  return readFields(fields['result'])?.['list'];
}
