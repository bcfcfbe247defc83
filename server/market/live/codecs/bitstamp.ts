import { readFields, readNumber, readText } from '#domain/core/read';
import { DAY_MS, toDurationMs, toUnixMs } from '#domain/core/time';
import { PERIOD_SECONDS } from '#domain/market/period';
import type { Codec } from '../codec';
import {
  alive,
  answered,
  fieldsOf,
  ignored,
  malformed,
  parseFields,
  QUOTES,
  readBar,
  readTopOfBook,
  readTrade,
} from './reading';

const TRADES = 'live_trades_';
const TOP_OF_BOOK = 'order_book_';
const MOST_BARS = 1000;

/** www.bitstamp.net/websocket/v2 and /api. */
export const bitstamp: Codec = {
  key: 'bitstamp',
  name: 'Bitstamp',
  terms: 'https://www.bitstamp.net/legal/terms-of-use/',
  websocket: 'wss://ws.bitstamp.net',
  rest: 'https://www.bitstamp.net',
  limits: {
    symbolsPerConnection: 100,
    symbolsPerRequest: 1,
    messageEvery: toDurationMs(50),
    // 400 calls a second are allowed, 10,000 in ten minutes.
    callEvery: toDurationMs(20),
    klinesPerCall: MOST_BARS,
    // Ended after 90 days.
    connectionLife: toDurationMs(24 * DAY_MS),
  },
  ping: '{"event":"bts:heartbeat"}',

  subscribe(symbols) {
    return symbols.flatMap((symbol) =>
      [TRADES, TOP_OF_BOOK].map((channel) =>
        JSON.stringify({ event: 'bts:subscribe', data: { channel: channel + symbol } }),
      ),
    );
  },

  decode(text) {
    const message = parseFields(text);
    if (!message) return malformed('no JSON object');
    const event = readText(message['event']);
    const channel = readText(message['channel']) ?? '';
    const data = readFields(message['data']) ?? {};
    const symbol = channel.startsWith(TRADES) ? channel.slice(TRADES.length) : undefined;
    if (event === 'trade' && symbol) {
      const micros = readNumber(data['microtimestamp']);
      const time = micros === undefined ? undefined : toUnixMs(Math.floor(micros / 1000));
      const trade = readTrade(
        symbol,
        data['price_str'] ?? data['price'],
        data['amount_str'] ?? data['amount'],
        time,
        data['id'],
      );
      return trade ? { events: [trade] } : malformed(`trade ${text.slice(0, 200)}`);
    }
    if (event === 'data' && channel.startsWith(TOP_OF_BOOK)) {
      const best = (side: unknown) => (side as unknown[][] | undefined)?.[0]?.[0];
      const topOfBook = readTopOfBook(
        channel.slice(TOP_OF_BOOK.length),
        best(data['bids']),
        best(data['asks']),
      );
      return topOfBook ? { events: [topOfBook] } : ignored('book with an empty side');
    }
    if (event === 'bts:heartbeat') return alive();
    if (event === 'bts:subscription_succeeded') return answered(undefined);
    if (event === 'bts:request_reconnect') return { events: [{ kind: 'reconnect' }] };
    if (event === 'bts:error') {
      const reason = readText(data['message']) ?? 'without a reason';
      return answered(undefined, reason);
    }
    return event ? ignored(event) : malformed(`no event: ${text.slice(0, 200)}`);
  },

  async pairs(get) {
    // The older name of the same list.
    const listed = await get('/api/v2/markets/').catch(() => get('/api/v2/trading-pairs-info/'));
    const rows = fieldsOf(listed);
    const tickers = new Map(
      fieldsOf(await get('/api/v2/ticker/')).map((row) => [row['pair'], row]),
    );
    return rows.flatMap((row) => {
      const [name, symbol] = [row['name'], row['market_symbol'] ?? row['url_symbol']].map(readText);
      const [base = '', quote = ''] = (name ?? '').split('/');
      const spot = row['trading'] === 'Enabled' && (row['market_type'] ?? 'SPOT') === 'SPOT';
      if (!name || !symbol || !QUOTES.has(quote) || !spot) return [];
      const ticker = tickers.get(name);
      const price = readNumber(ticker?.['last']) ?? 0;
      return {
        symbol,
        restSymbol: symbol,
        base,
        quote,
        precision: readNumber(row['counter_decimals']) ?? 2,
        // In the quote currency: the smallest lot is ours.
        minimum: 0,
        turnover: (readNumber(ticker?.['volume']) ?? 0) * price,
        price,
      };
    });
  },

  async klines(get, pair, period, since) {
    const step = PERIOD_SECONDS[period];
    const start = Math.floor(since / 1000);
    const query = `step=${step}&limit=${MOST_BARS}&start=${start}&end=${start + (MOST_BARS - 1) * step}`;
    const answer = readFields(
      await get(`/api/v2/ohlc/${encodeURIComponent(pair.restSymbol)}/?${query}`),
    );
    const rows = readFields(answer?.['data'])?.['ohlc'];
    if (!Array.isArray(rows)) throw new Error('Bitstamp sent no klines');
    return fieldsOf(rows)
      .flatMap(
        (row) =>
          readBar(
            row['timestamp'],
            row['open'],
            row['high'],
            row['low'],
            row['close'],
            row['volume'],
          ) ?? [],
      )
      .filter(({ time }) => time * 1000 >= since)
      .sort((a, b) => a.time - b.time);
  },
};
