import { type Fields, readFields, readInteger, readNumber, readText } from '#domain/core/read';
import { toDurationMs } from '#domain/core/time';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import type { Codec, Decoded, LiveEvent } from '../codec';
import {
  answered,
  decimalsOfStep,
  eventsOf,
  fieldsOf,
  isBefore,
  malformed,
  parseFields,
  QUOTES,
  readBar,
  readDate,
  readTopOfBook,
  readTrade,
} from './reading';

const GRANULARITIES: Readonly<Record<Period, string>> = {
  '1min': 'ONE_MINUTE',
  '5min': 'FIVE_MINUTE',
  '15min': 'FIFTEEN_MINUTE',
  '30min': 'THIRTY_MINUTE',
  '60min': 'ONE_HOUR',
  '1day': 'ONE_DAY',
};
/** Of one call. */
const MOST_CANDLES = 350;

/** docs.cdp.coinbase.com, Advanced Trade: channels and REST calls that need no key. */
export const coinbase: Codec = {
  key: 'coinbase',
  name: 'Coinbase',
  terms: 'https://www.coinbase.com/legal/market_data',
  websocket: 'wss://advanced-trade-ws.coinbase.com',
  rest: 'https://api.coinbase.com',
  limits: {
    symbolsPerConnection: 100,
    symbolsPerRequest: 50,
    // Eight messages a second without a key.
    messageEvery: toDurationMs(150),
    // Ten calls a second.
    callEvery: toDurationMs(110),
    klinesPerCall: MOST_CANDLES,
    connectionLife: toDurationMs(23 * 3_600_000),
  },
  ping: undefined,

  subscribe(product_ids) {
    return [
      JSON.stringify({ type: 'subscribe', channel: 'heartbeats' }),
      ...['market_trades', 'ticker'].map((channel) =>
        JSON.stringify({ type: 'subscribe', channel, product_ids }),
      ),
    ];
  },

  decode(text) {
    const message = parseFields(text);
    if (!message) return malformed('no JSON object');
    if (message['type'] === 'error') {
      return answered(undefined, readText(message['message']) ?? 'without a reason');
    }
    const { channel } = message;
    if (typeof channel !== 'string') return malformed(`no channel: ${text.slice(0, 200)}`);
    const sequence = readInteger(message['sequence_num']);
    const decoded: Decoded = { events: eventsOfChannel(channel, message) };
    return sequence === undefined ? decoded : { ...decoded, sequence };
  },

  async pairs(get) {
    const answer = readFields(
      await get('/api/v3/brokerage/market/products?product_type=SPOT&limit=1000'),
    );
    return fieldsOf(answer?.['products']).flatMap((row) => {
      const [symbol, base, quote] = [
        row['product_id'],
        row['base_currency_id'],
        row['quote_currency_id'],
      ].map(readText);
      const off =
        row['is_disabled'] === true ||
        row['trading_disabled'] === true ||
        row['status'] === 'delisted';
      if (!symbol || !base || !quote || !QUOTES.has(quote) || off) return [];
      const price = readNumber(row['price']) ?? 0;
      return {
        // Pairs in USDC share the book of those in USD: messages have the name of the latter.
        symbol: readText(row['alias']) || symbol,
        restSymbol: symbol,
        base,
        quote,
        precision: decimalsOfStep(row['price_increment'] ?? row['quote_increment']),
        minimum: readNumber(row['base_min_size']) ?? 0,
        turnover:
          readNumber(row['approximate_quote_24h_volume']) ??
          (readNumber(row['volume_24h']) ?? 0) * price,
        price,
      };
    });
  },

  async klines(get, pair, period, since, now) {
    const start = Math.floor(since / 1000);
    const whole = start + (MOST_CANDLES - 1) * PERIOD_SECONDS[period];
    const end = Math.min(Math.floor(now / 1000), whole);
    const query = `start=${start}&end=${end}&granularity=${GRANULARITIES[period]}&limit=${MOST_CANDLES}`;
    const path = `/api/v3/brokerage/market/products/${encodeURIComponent(pair.restSymbol)}/candles?${query}`;
    const answer = readFields(await get(path));
    if (!Array.isArray(answer?.['candles'])) throw new Error('Coinbase sent no candles');
    return fieldsOf(answer['candles'])
      .flatMap(
        (row) =>
          readBar(
            row['start'],
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

function eventsOfChannel(channel: string, message: Fields): LiveEvent[] {
  const events = fieldsOf(message['events']);
  if (channel === 'market_trades') {
    if (events.length === 0) return [{ kind: 'malformed', reason: 'no events' }];
    return events.flatMap(({ type, trades }) => {
      const past = type === 'snapshot';
      const rows = fieldsOf(trades);
      if (past && rows.length === 0) return [{ kind: 'ignored', what: 'empty snapshot' }];
      const read = eventsOf(rows, 'trade', (row) => {
        const time = readDate(row['time']);
        const trade = readTrade(
          row['product_id'],
          row['price'],
          row['size'],
          time,
          row['trade_id'],
        );
        return trade && (past ? { ...trade, past } : trade);
      });
      // They come newest first.
      return read.sort((a, b) => {
        if (a.kind !== 'trade' || b.kind !== 'trade') return 0;
        return isBefore(a, b) ? -1 : Number(isBefore(b, a));
      });
    });
  }
  if (channel === 'ticker') {
    const rows = events.flatMap(({ tickers }) => fieldsOf(tickers));
    return eventsOf(
      rows,
      'ticker',
      (row) =>
        readTopOfBook(row['product_id'], row['best_bid'], row['best_ask']) ??
        (typeof row['product_id'] === 'string'
          ? { kind: 'ignored', what: 'empty book' }
          : undefined),
    );
  }
  const time = readDate(message['timestamp']);
  const alive: LiveEvent = time === undefined ? { kind: 'alive' } : { kind: 'alive', time };
  if (channel === 'heartbeats') return [alive];
  if (channel === 'subscriptions') {
    // The whole list each time.
    const taken = events.flatMap(({ subscriptions }) => {
      const listed = readFields(subscriptions)?.['market_trades'];
      return Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
    });
    return [alive, { kind: 'answered', taken }];
  }
  return [{ kind: 'ignored', what: channel }];
}
