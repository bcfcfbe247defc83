import { type Dialect, iso, pairNamed, pairsIn, type Session } from '../dialect';
import { codeOf, type Pair } from '../market';

const name = ({ base, quote }: Pair) => `${base}-${quote}`;

function message(channel: string, event: unknown, session: Session) {
  return {
    channel,
    client_id: '',
    timestamp: iso(session.now()),
    sequence_num: session.nextNumber(),
    events: [event],
  };
}

/** All products of each channel so far. */
function subscriptions({ subscribed }: Session): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const each of subscribed) {
    const [channel, product] = each.split(': ');
    if (channel && product) all[channel] = [...(all[channel] ?? []), product];
  }
  return all;
}

const channels: Record<string, string> = { market_trades: 'trade', ticker: 'book' };

const minutes: Record<string, number> = {
  ONE_MINUTE: 1,
  FIVE_MINUTE: 5,
  FIFTEEN_MINUTE: 15,
  THIRTY_MINUTE: 30,
  ONE_HOUR: 60,
  ONE_DAY: 1440,
};

export const coinbase: Dialect = {
  path: /^\/?$/,
  pairs: pairsIn('USD'),
  limits: {
    perMessage: 100,
    messagesPerSecond: 8,
    connections: 450,
    pairs: 1000,
    pingAfter: 60000,
  },
  received(text, session) {
    const { channel, product_ids = [] } = JSON.parse(text);
    session.subscribing(product_ids.length);
    if (channel === 'heartbeats') session.subscribed.add('heartbeat');
    const known = session.market.pairs.filter((pair) => product_ids.includes(name(pair)));
    // All products of a message or none.
    if (known.length < product_ids.length) {
      session.send({ type: 'error', message: 'failed to subscribe' });
      return;
    }
    const kind = channels[channel];
    if (kind) for (const pair of known) session.subscribed.add(`${kind} ${codeOf(pair)}`);
    if (kind === 'trade') {
      for (const pair of known) {
        const past = session.market.trades(codeOf(pair)).slice(-50).reverse();
        session.send(trades(past, session, 'snapshot'));
      }
    }
    for (const product of product_ids) session.subscribed.add(`${channel}: ${product}`);
    session.send(message('subscriptions', { subscriptions: subscriptions(session) }, session));
  },
  trades: (all, session) => trades(all, session, 'update'),
  topOfBook(pair, session) {
    const { bid, ask } = session.market.topOfBook(pair);
    const ticker = {
      type: 'ticker',
      product_id: name(pair),
      price: bid,
      volume_24_h: '15328.12345678',
      low_24_h: bid,
      high_24_h: ask,
      low_52_w: bid,
      high_52_w: ask,
      price_percent_chg_24_h: '1.85',
      best_bid: bid,
      best_bid_quantity: '1.50000000',
      best_ask: ask,
      best_ask_quantity: '0.50000000',
    };
    return message('ticker', { type: 'update', tickers: [ticker] }, session);
  },
  heartbeat(session) {
    if (!session.subscribed.has('heartbeat')) return undefined;
    const current_time = iso(session.now()).replace('T', ' ').replace('Z', '000+00:00');
    return message('heartbeats', { current_time, heartbeat_counter: 42 }, session);
  },
  rest(url, market) {
    const match = /^\/api\/v3\/brokerage\/market\/products(?:\/([^/]+)\/candles)?$/.exec(
      url.pathname,
    );
    if (!match) return undefined;
    if (!match[1]) {
      const products = market.pairs.map((pair) => ({
        product_id: name(pair),
        price: market.topOfBook(pair).bid,
        volume_24h: '15328.12345678',
        approximate_quote_24h_volume: '1000000.00',
        base_increment: '0.00000001',
        quote_increment: '0.01',
        price_increment: '0.01',
        base_min_size: '0.00000001',
        base_name: pair.base,
        quote_name: pair.quote,
        base_currency_id: pair.base,
        quote_currency_id: pair.quote,
        base_display_symbol: pair.base,
        quote_display_symbol: pair.quote,
        product_type: 'SPOT',
        status: 'online',
        is_disabled: false,
        trading_disabled: false,
        view_only: false,
        alias: '',
      }));
      return { products, num_products: products.length };
    }
    const pair = pairNamed(match[1], market, name);
    if (!pair) return { error: 'NOT_FOUND' };
    const period = minutes[url.searchParams.get('granularity') ?? ''];
    if (!period) return { error: 'INVALID_ARGUMENT', message: 'unknown granularity' };
    const start = Number(url.searchParams.get('start') ?? 0) * 1000;
    const end = Number(url.searchParams.get('end') ?? Infinity) * 1000;
    if ((end - start) / 60_000 / period >= 350) {
      const error_details = 'number of candles requested should be less than 350';
      return { error: 'INVALID_ARGUMENT', error_details, message: error_details };
    }
    const candles = market
      .bars(codeOf(pair), period)
      .filter(({ time }) => time >= start && time <= end)
      .slice(-350)
      .reverse()
      .map(({ time, low, high, open, close, volume }) => {
        return { start: String(time / 1000), low, high, open, close, volume };
      });
    return { candles };
  },
};

function trades(all: Parameters<Dialect['trades']>[0], session: Session, type: string) {
  const rows = all.map(({ id, pair, price, volume, side, time }) => ({
    trade_id: String(id),
    product_id: name(pair),
    price,
    size: volume,
    side: side.toUpperCase(),
    time: iso(time),
  }));
  return message('market_trades', { type, trades: rows }, session);
}
