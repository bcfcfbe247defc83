import { type Dialect, iso, pairNamed, pairsIn } from '../dialect';
import { codeOf, type Pair } from '../market';

// Names in REST are older than those of the websocket: XBT is BTC.
const rest = ({ base, quote }: Pair) => `${base === 'BTC' ? 'XBT' : base}${quote}`;
const long = (pair: Pair) => (pair.base === 'BTC' ? `XXBTZ${pair.quote}` : rest(pair));

export const kraken: Dialect = {
  path: /^\/v2$/,
  pairs: pairsIn('USD'),
  limits: {
    perMessage: 1000,
    messagesPerSecond: 50,
    connections: 150,
    pairs: 1000,
    pingAfter: 60000,
  },
  received(text, session) {
    const { method, params, req_id } = JSON.parse(text);
    const times = { time_in: iso(session.now()), time_out: iso(session.now()) };
    const id = req_id === undefined ? {} : { req_id };
    if (method === 'ping') {
      session.pinged();
      session.send({ method: 'pong', ...id, ...times });
      return;
    }
    const symbols: string[] = params?.symbol ?? [];
    session.subscribing(symbols.length);
    for (const symbol of symbols) {
      const pair = pairNamed(symbol, session.market, codeOf);
      if (!pair) {
        const error = 'Currency pair not supported';
        session.send({ error, method, ...id, success: false, symbol, ...times });
        continue;
      }
      const { channel, snapshot = true } = params;
      const result = { channel, symbol, snapshot };
      session.send({ method, result, success: true, ...times, ...id });
      session.subscribed.add(`${channel === 'ticker' ? 'book' : channel} ${symbol}`);
      if (channel === 'ticker') session.send(topOfBook(pair, session, 'snapshot'));
      else if (snapshot) {
        const past = session.market.trades(symbol).slice(-50);
        if (past.length > 0) session.send({ ...trades(past), type: 'snapshot' });
      }
    }
  },
  trades,
  topOfBook: (pair, session) => topOfBook(pair, session, 'update'),
  heartbeat: () => ({ channel: 'heartbeat' }),
  rest(url, market) {
    const all = (row: (pair: Pair) => unknown) => ({
      error: [],
      result: Object.fromEntries(market.pairs.map((pair) => [long(pair), row(pair)])),
    });
    if (url.pathname === '/0/public/AssetPairs') {
      return all((pair) => ({
        altname: rest(pair),
        wsname: `${pair.base === 'BTC' ? 'XBT' : pair.base}/${pair.quote}`,
        aclass_base: 'currency',
        base: pair.base === 'BTC' ? 'XXBT' : pair.base,
        aclass_quote: 'currency',
        quote: `Z${pair.quote}`,
        pair_decimals: pair.decimals,
        lot_decimals: 8,
        ordermin: '0.00005',
        costmin: '0.5',
        tick_size: '0.01',
        status: 'online',
      }));
    }
    if (url.pathname === '/0/public/Ticker') {
      return all((pair) => {
        const { bid, ask } = market.topOfBook(pair);
        const both = [bid, bid];
        const level = (price: string) => [price, '1', '1.000'];
        return {
          a: level(ask),
          b: level(bid),
          c: [bid, '0.00009443'],
          v: ['0.78648221', '163.28908096'],
          p: both,
          t: [35, 3276],
          l: both,
          h: both,
          o: bid,
        };
      });
    }
    if (url.pathname !== '/0/public/OHLC') return undefined;
    const name = url.searchParams.get('pair');
    const pair =
      pairNamed(name, market, rest) ??
      pairNamed(name, market, long) ??
      pairNamed(name, market, codeOf);
    if (!pair) return { error: ['EQuery:Unknown asset pair'] };
    const since = Number(url.searchParams.get('since') ?? 0);
    const rows = market
      .bars(codeOf(pair), Number(url.searchParams.get('interval') ?? 1))
      .filter(({ time }) => time / 1000 > since)
      .slice(-720)
      .map(({ time, open, high, low, close, volume, count }) => {
        return [time / 1000, open, high, low, close, close, volume, count];
      });
    return { error: [], result: { [long(pair)]: rows, last: Number(rows.at(-2)?.[0] ?? since) } };
  },
};

function trades(all: Parameters<Dialect['trades']>[0]) {
  const data = all.map(({ pair, side, price, volume, id, time }) => ({
    symbol: codeOf(pair),
    side,
    price: Number(price),
    qty: Number(volume),
    ord_type: 'limit',
    trade_id: id,
    timestamp: iso(time),
  }));
  return { channel: 'trade', type: 'update', data };
}

function topOfBook(pair: Pair, session: Parameters<Dialect['topOfBook']>[1], type: string) {
  const { bid, ask } = session.market.topOfBook(pair);
  const price = Number(bid);
  const data = {
    symbol: codeOf(pair),
    bid: price,
    bid_qty: 2.5,
    ask: Number(ask),
    ask_qty: 3.2,
    last: price,
    volume: 163.28908096,
    vwap: price,
    low: price,
    high: price,
    change: 0,
    change_pct: 0,
    timestamp: iso(session.now()),
  };
  return { channel: 'ticker', type, data: [data] };
}
