import { type Dialect, pairNamed, pairsIn } from '../dialect';
import { codeOf, type Pair } from '../market';

const name = ({ base, quote }: Pair) => `${base}${quote}`;

export const bybit: Dialect = {
  path: /^\/v5\/public\/spot$/,
  pairs: pairsIn('USDT'),
  limits: {
    perMessage: 10,
    messagesPerSecond: 20,
    connections: 1000,
    pairs: 500,
    pingAfter: 20000,
  },
  received(text, session) {
    const { op, args = [], req_id = '' } = JSON.parse(text);
    const answer = { conn_id: '2324d924', req_id, op };
    if (op === 'ping') {
      session.pinged();
      session.send({ success: true, ret_msg: 'pong', ...answer });
      return;
    }
    const pairs = (args as string[]).map((arg) => {
      return { arg, pair: pairNamed(arg.split('.').at(-1), session.market, name) };
    });
    session.subscribing(args.length);
    // All topics of a message or none.
    if (pairs.some(({ pair }) => !pair)) {
      session.send({ success: false, ret_msg: 'Invalid symbol', ...answer });
      return;
    }
    for (const { arg, pair } of pairs)
      if (pair) {
        const kind = arg.startsWith('publicTrade') ? 'trade' : 'book';
        session.subscribed.add(`${kind} ${codeOf(pair)}`);
      }
    session.send({ success: true, ret_msg: 'subscribe', ...answer });
  },
  trades(trades, session) {
    const data = trades.map(({ pair, price, volume, id, time, side }) => ({
      i: `2290000000${id}`,
      T: time,
      p: price,
      v: volume,
      S: side === 'buy' ? 'Buy' : 'Sell',
      s: name(pair),
      BT: false,
    }));
    const [first] = data;
    return { topic: `publicTrade.${first?.s}`, ts: session.now(), type: 'snapshot', data };
  },
  topOfBook(pair, { market, now }) {
    const { bid, ask } = market.topOfBook(pair);
    const data = { s: name(pair), b: [[bid, '84.489']], a: [[ask, '83.020']], u: 1, seq: 1 };
    return { topic: `orderbook.1.${name(pair)}`, ts: now(), type: 'snapshot', data, cts: now() };
  },
  rest(url, market) {
    const answer = (result: object) => ({
      retCode: 0,
      retMsg: 'OK',
      result,
      retExtInfo: {},
      time: 0,
    });
    if (url.pathname === '/v5/market/instruments-info') {
      const list = market.pairs.map((pair) => ({
        symbol: name(pair),
        baseCoin: pair.base,
        quoteCoin: pair.quote,
        innovation: '0',
        status: 'Trading',
        lotSizeFilter: { basePrecision: '0.000001', minOrderQty: '0.000048' },
        priceFilter: { tickSize: '0.01' },
      }));
      return answer({ category: 'spot', list });
    }
    if (url.pathname === '/v5/market/tickers') {
      const list = market.pairs.map((pair) => ({
        symbol: name(pair),
        lastPrice: market.topOfBook(pair).bid,
        turnover24h: '1570383121.943499',
        volume24h: '91705.276',
      }));
      return answer({ category: 'spot', list });
    }
    if (url.pathname !== '/v5/market/kline') return undefined;
    const symbol = url.searchParams.get('symbol');
    const pair = pairNamed(symbol, market, name);
    if (!pair) return { ...answer({}), retCode: 10001, retMsg: 'Not supported symbols' };
    const interval = url.searchParams.get('interval');
    const start = Number(url.searchParams.get('start') ?? 0);
    const end = Number(url.searchParams.get('end') ?? Infinity);
    const list = market
      .bars(codeOf(pair), interval === 'D' ? 1440 : Number(interval))
      .filter(({ time }) => time >= start && time <= end)
      .slice(-Number(url.searchParams.get('limit') ?? 200))
      .reverse()
      .map(({ time, open, high, low, close, volume }) => {
        return [String(time), open, high, low, close, volume, '0'];
      });
    return answer({ category: 'spot', symbol, list });
  },
};
