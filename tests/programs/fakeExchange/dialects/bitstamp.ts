import { type Dialect, pairNamed, pairsIn } from '../dialect';
import { codeOf, type Pair } from '../market';

const name = ({ base, quote }: Pair) => `${base}${quote}`.toLowerCase();

export const bitstamp: Dialect = {
  path: /^\/?$/,
  pairs: pairsIn('USD'),
  limits: {
    perMessage: 1,
    messagesPerSecond: 100,
    connections: 600,
    pairs: 1000,
    pingAfter: 60000,
  },
  received(text, session) {
    const { event, data } = JSON.parse(text);
    if (event === 'bts:heartbeat') {
      session.pinged();
      session.send({ event: 'bts:heartbeat', channel: '', data: { status: 'success' } });
      return;
    }
    const channel = String(data.channel);
    const pair = pairNamed(channel.split('_').at(-1), session.market, name);
    session.subscribing(1);
    if (!pair) {
      const error = { code: null, message: 'Bad subscription string.' };
      session.send({ event: 'bts:error', channel: '', data: error });
      return;
    }
    session.subscribed.add(
      `${channel.startsWith('live_trades') ? 'trade' : 'book'} ${codeOf(pair)}`,
    );
    session.send({ event: 'bts:subscription_succeeded', channel, data: {} });
  },
  // One trade a message.
  trades: (trades) =>
    trades.map(({ pair, price, volume, id, time, side }) => ({
      channel: `live_trades_${name(pair)}`,
      event: 'trade',
      data: {
        id,
        id_str: String(id),
        timestamp: String(Math.floor(time / 1000)),
        microtimestamp: `${time}000`,
        amount: Number(volume),
        amount_str: volume,
        price: Number(price),
        price_str: price,
        type: side === 'buy' ? 0 : 1,
        buy_order_id: 1,
        sell_order_id: 2,
      },
    })),
  topOfBook(pair, { market, now }) {
    const { bid, ask } = market.topOfBook(pair);
    const data = {
      timestamp: String(Math.floor(now() / 1000)),
      microtimestamp: `${now()}000`,
      bids: [[bid, '1.50000000']],
      asks: [[ask, '0.50000000']],
    };
    return { data, channel: `order_book_${name(pair)}`, event: 'data' };
  },
  rest(url, market) {
    const [, , , call, symbol] = url.pathname.split('/');
    if (call === 'trading-pairs-info' || call === 'markets') {
      return market.pairs.map((pair) => ({
        name: codeOf(pair),
        url_symbol: name(pair),
        market_symbol: name(pair),
        base_currency: pair.base,
        counter_currency: pair.quote,
        base_decimals: 8,
        counter_decimals: pair.decimals,
        minimum_order: '10 USD',
        minimum_order_value: '10',
        minimum_order_amount: '0.00010000',
        trading: 'Enabled',
        market_type: 'SPOT',
        instant_and_market_orders: 'Enabled',
        description: codeOf(pair),
      }));
    }
    if (call === 'ticker') {
      return market.pairs.map((pair) => {
        const { bid, ask } = market.topOfBook(pair);
        return {
          pair: codeOf(pair),
          market: codeOf(pair),
          last: bid,
          bid,
          ask,
          volume: '213',
          vwap: bid,
        };
      });
    }
    if (call !== 'ohlc') return undefined;
    const pair = pairNamed(symbol, market, name);
    if (!pair) return { code: 'not-found' };
    const start = Number(url.searchParams.get('start') ?? 0) * 1000;
    const end = Number(url.searchParams.get('end') ?? Infinity) * 1000;
    const limit = Number(url.searchParams.get('limit') ?? 1000);
    const rows = market
      .bars(codeOf(pair), Number(url.searchParams.get('step')) / 60)
      .filter(({ time }) => time >= start && time <= end);
    const ohlc = (start > 0 ? rows.slice(0, limit) : rows.slice(-limit)).map((bar) => ({
      timestamp: String(bar.time / 1000),
      open: bar.open,
      high: bar.high,
      low: bar.low,
      close: bar.close,
      volume: bar.volume,
    }));
    return { data: { pair: codeOf(pair), ohlc } };
  },
};
