import { type Dialect, pairNamed, pairsIn } from '../dialect';
import { codeOf, type Pair } from '../market';

const name = ({ base, quote }: Pair) => `${base}-${quote}`;

/** Days begin at midnight UTC with this name only. */
const minutes: Record<string, number> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1H': 60,
  '1Dutc': 1440,
};

export const okx: Dialect = {
  path: /^\/ws\/v5\/public$/,
  pairs: pairsIn('USDT'),
  limits: {
    perMessage: 400,
    messagesPerSecond: 3,
    connections: 1800,
    pairs: 240,
    pingAfter: 30000,
  },
  received(text, session) {
    if (text === 'ping') {
      session.pinged();
      session.send('pong');
      return;
    }
    const { op, args, id } = JSON.parse(text);
    session.subscribing(args.length);
    for (const arg of args as { channel: string; instId: string }[]) {
      const pair = pairNamed(arg.instId, session.market, name);
      if (!pair) {
        session.send({ id, event: 'error', code: '60018', msg: 'Invalid arg', connId: 'a4d3ae55' });
        continue;
      }
      session.send({ id, event: op, arg, connId: 'a4d3ae55' });
      const kind = arg.channel.startsWith('trades') ? 'trade' : 'book';
      session.subscribed.add(`${kind} ${codeOf(pair)}`);
    }
  },
  // One trade a message.
  trades: (trades) =>
    trades.map(({ pair, price, volume, id, time, side }) => ({
      arg: { channel: 'trades', instId: name(pair) },
      data: [
        {
          instId: name(pair),
          tradeId: String(id),
          px: price,
          sz: volume,
          side,
          ts: String(time),
          count: '1',
        },
      ],
    })),
  topOfBook(pair, { market, now }) {
    const { bid, ask } = market.topOfBook(pair);
    const data = {
      instType: 'SPOT',
      instId: name(pair),
      last: bid,
      lastSz: '0.1',
      askPx: ask,
      askSz: '11',
      bidPx: bid,
      bidSz: '5',
      open24h: bid,
      high24h: ask,
      low24h: bid,
      volCcy24h: '2222',
      vol24h: '2222',
      sodUtc0: '2222',
      sodUtc8: '2222',
      ts: String(now()),
    };
    return { arg: { channel: 'tickers', instId: name(pair) }, data: [data] };
  },
  rest(url, market) {
    const answer = (data: unknown) => ({ code: '0', msg: '', data });
    if (url.pathname === '/api/v5/public/instruments') {
      return answer(
        market.pairs.map((pair) => ({
          instType: 'SPOT',
          instId: name(pair),
          baseCcy: pair.base,
          quoteCcy: pair.quote,
          tickSz: '0.01',
          lotSz: '0.00000001',
          minSz: '0.00001',
          state: 'live',
        })),
      );
    }
    if (url.pathname === '/api/v5/market/tickers') {
      return answer(
        market.pairs.map((pair) => ({
          instType: 'SPOT',
          instId: name(pair),
          last: market.topOfBook(pair).bid,
          volCcy24h: '2222',
          vol24h: '2222',
        })),
      );
    }
    if (!/^\/api\/v5\/market\/(history-)?candles$/.test(url.pathname)) return undefined;
    const pair = pairNamed(url.searchParams.get('instId'), market, name);
    if (!pair) return { code: '51001', msg: "Instrument ID doesn't exist", data: [] };
    const period = minutes[url.searchParams.get('bar') ?? '1m'];
    if (!period) return { code: '51000', msg: 'Parameter bar error', data: [] };
    const all = market.bars(codeOf(pair), period);
    const after = Number(url.searchParams.get('after') ?? Infinity);
    const before = Number(url.searchParams.get('before') ?? -1);
    const history = url.pathname.includes('history');
    const most = history ? 100 : 300;
    // Fewer calls a second are allowed for history, which has only bars that are over.
    const known = history ? all.slice(0, -1) : all.slice(-1440);
    const rows = known
      .filter(({ time }) => time < after && time > before)
      .slice(-Math.min(most, Number(url.searchParams.get('limit') ?? 100)))
      .reverse();
    return answer(
      rows.map(({ time, open, high, low, close, volume }) => {
        const over = time === all.at(-1)?.time ? '0' : '1';
        return [String(time), open, high, low, close, volume, volume, '0', over];
      }),
    );
  },
};
