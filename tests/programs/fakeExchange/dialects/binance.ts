import { type Dialect, pairNamed, pairsIn } from '../dialect';
import { codeOf, type Pair } from '../market';

const name = ({ base, quote }: Pair) => `${base}${quote}`;
const stream = (pair: Pair) => name(pair).toLowerCase();

const minutes: Record<string, number> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '1d': 1440,
};

export const binance: Dialect = {
  path: /^\/(ws|stream)/,
  pairs: pairsIn('USDT'),
  limits: {
    perMessage: 1024,
    messagesPerSecond: 5,
    connections: 600,
    pairs: 512,
    pingAfter: 60000,
  },
  received(text, session) {
    const { method, params = [], id } = JSON.parse(text);
    if (method === 'LIST_SUBSCRIPTIONS') session.pinged();
    if (method === 'SUBSCRIBE') {
      session.subscribing(params.length);
      const streams = (params as string[]).map((param) => {
        const [symbol, channel] = param.split('@');
        return { channel, pair: pairNamed(symbol, session.market, stream) };
      });
      // All streams of a message or none, as where its form is wrong. The real one takes streams that nothing is sent on.
      if (streams.some(({ pair }) => !pair)) {
        session.send({ error: { code: 2, msg: 'Invalid request' }, id });
        return;
      }
      for (const { channel, pair } of streams) {
        if (!pair) continue;
        const kind = channel === 'bookTicker' ? 'book' : String(channel);
        session.subscribed.add(`${kind === 'aggTrade' ? 'trade' : kind} ${codeOf(pair)}`);
      }
    }
    session.send({ result: null, id });
  },
  // One trade a message.
  trades: (trades, session) =>
    trades.map(({ pair, price, volume, id, time, side }) => ({
      e: 'trade',
      E: session.now(),
      s: name(pair),
      t: id,
      p: price,
      q: volume,
      T: time,
      m: side === 'sell',
      M: true,
    })),
  topOfBook(pair, { market }) {
    const { bid, ask } = market.topOfBook(pair);
    return { u: 400900217, s: name(pair), b: bid, B: '31.21000000', a: ask, A: '40.66000000' };
  },
  rest(url, market) {
    const [, , , call] = url.pathname.split('/');
    if (call === 'exchangeInfo') {
      const symbols = market.pairs.map((pair) => ({
        symbol: name(pair),
        status: 'TRADING',
        baseAsset: pair.base,
        baseAssetPrecision: 8,
        quoteAsset: pair.quote,
        quotePrecision: 8,
        isSpotTradingAllowed: true,
        filters: [
          { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
          { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
        ],
        permissions: ['SPOT'],
      }));
      return { timezone: 'UTC', serverTime: 0, rateLimits: [], exchangeFilters: [], symbols };
    }
    if (call === 'ticker') {
      return market.pairs.map((pair) => ({
        symbol: name(pair),
        lastPrice: market.topOfBook(pair).bid,
        volume: '8913.30000000',
        quoteVolume: '15000000.30000000',
        count: 76,
      }));
    }
    if (call !== 'klines') return undefined;
    const pair = pairNamed(url.searchParams.get('symbol'), market, name);
    if (!pair) return { code: -1121, msg: 'Invalid symbol.' };
    const period = minutes[url.searchParams.get('interval') ?? ''];
    if (!period) return { code: -1120, msg: 'Invalid interval.' };
    const from = Number(url.searchParams.get('startTime') ?? 0);
    const until = Number(url.searchParams.get('endTime') ?? Infinity);
    const limit = Number(url.searchParams.get('limit') ?? 500);
    const rows = market
      .bars(codeOf(pair), period)
      .filter(({ time }) => time >= from && time <= until);
    const some = from > 0 ? rows.slice(0, limit) : rows.slice(-limit);
    return some.map(({ time, open, high, low, close, volume, count }) => {
      const end = time + period * 60_000 - 1;
      return [time, open, high, low, close, volume, end, '0', count, '0', '0', '0'];
    });
  },
};
