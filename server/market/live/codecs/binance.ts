import { readFields, readNumber, readText } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
import type { Period } from '#domain/market/period';
import type { Codec, Decoded } from '../codec';
import {
  alive,
  answered,
  barsOf,
  decimalsOfStep,
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
  '1min': '1m',
  '5min': '5m',
  '15min': '15m',
  '30min': '30m',
  '60min': '1h',
  '1day': '1d',
};
/** developers.binance.com, Spot: market data alone, without keys. */
export const binance: Codec = {
  key: 'binance',
  name: 'Binance',
  terms: 'https://www.binance.com/en/terms',
  websocket: 'wss://data-stream.binance.vision/ws',
  rest: 'https://data-api.binance.vision',
  limits: {
    symbolsPerConnection: 400,
    // Two streams a pair, in a message of moderate size.
    symbolsPerRequest: 50,
    // Five messages a second, pongs among them.
    messageEvery: toDurationMs(300),
    // A call for klines weighs 2 of 6,000 a minute.
    callEvery: toDurationMs(25),
    klinesPerCall: 1000,
    connectionLife: toDurationMs(23 * 3_600_000),
  },
  // The exchange pings each 20 s only; it answers pings of the protocol.
  ping: undefined,

  subscribe(symbols, request) {
    const params = symbols.flatMap((symbol) => {
      const stream = symbol.toLowerCase();
      return [`${stream}@trade`, `${stream}@bookTicker`];
    });
    return [JSON.stringify({ method: 'SUBSCRIBE', params, id: request })];
  },

  decode(text) {
    const message = parseFields(text);
    if (!message) return malformed('no JSON object');
    // Combined streams wrap the event.
    const event = readFields(message['data']) ?? message;
    const kind = event['e'];
    if (kind === 'trade' || kind === 'aggTrade') {
      const id = kind === 'trade' ? event['t'] : event['a'];
      const trade = readTrade(event['s'], event['p'], event['q'], readMs(event['T']), id);
      return trade ? { events: [trade] } : malformed(`trade ${text.slice(0, 200)}`);
    }
    if (kind === undefined && 'u' in event && 'b' in event && 'a' in event) {
      const topOfBook = readTopOfBook(event['s'], event['b'], event['a']);
      return topOfBook ? { events: [topOfBook] } : ignored('book with an empty side');
    }
    if (kind === 'serverShutdown') return { events: [{ kind: 'reconnect' }] };
    if (typeof kind === 'string') return ignored(kind);
    if ('error' in message || 'code' in message) return refusal(message);
    if ('result' in message) return answered(readText(message['id']));
    if (Object.keys(message).length === 0) return alive();
    return malformed(`unknown message ${text.slice(0, 200)}`);
  },

  async pairs(get) {
    const info = readFields(await get('/api/v3/exchangeInfo?permissions=SPOT'));
    const tickers = new Map(
      fieldsOf(await get('/api/v3/ticker/24hr?type=MINI')).map((row) => [row['symbol'], row]),
    );
    return fieldsOf(info?.['symbols']).flatMap((row) => {
      const [symbol, base, quote] = [row['symbol'], row['baseAsset'], row['quoteAsset']].map(
        readText,
      );
      if (!symbol || !base || !quote || !QUOTES.has(quote) || row['status'] !== 'TRADING')
        return [];
      const filter = (type: string) =>
        fieldsOf(row['filters']).find(({ filterType }) => filterType === type);
      const ticker = tickers.get(symbol);
      return {
        symbol,
        restSymbol: symbol,
        base,
        quote,
        precision: decimalsOfStep(filter('PRICE_FILTER')?.['tickSize']),
        minimum: readNumber(filter('LOT_SIZE')?.['minQty']) ?? 0,
        turnover: readNumber(ticker?.['quoteVolume']) ?? 0,
        price: readNumber(ticker?.['lastPrice']) ?? 0,
      };
    });
  },

  async klines(get, pair, period, since) {
    const query = `symbol=${encodeURIComponent(pair.restSymbol)}&interval=${INTERVALS[period]}&startTime=${since}&limit=1000`;
    return barsOf(await get(`/api/v3/klines?${query}`), ([time, open, high, low, close, volume]) =>
      readBar(Number(time) / 1000, open, high, low, close, volume),
    );
  },
};

function refusal(message: Readonly<Record<string, unknown>>): Decoded {
  const error = readFields(message['error']) ?? message;
  return answered(readText(message['id']), readText(error['msg']) ?? 'without a reason');
}
