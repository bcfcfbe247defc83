/** A pair that the exchange lists. */
export interface Pair {
  base: string;
  quote: string;
  decimals: number;
}

export interface Trade {
  id: number;
  pair: Pair;
  price: string;
  volume: string;
  side: 'buy' | 'sell';
  /** ms */
  time: number;
}

/** The exchange's own bar. */
export interface ExchangeBar {
  /** ms */
  time: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  count: number;
}

export const codeOf = ({ base, quote }: Pair): string => `${base}/${quote}`;

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function decimal(units: number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

interface Walk {
  pair: Pair;
  /** In units of the last decimal. */
  price: number;
  trades: { trade: Trade; price: number; volume: number }[];
}

/** What is traded: a seeded walk of each pair, counted in whole units. */
export class ExchangeMarket {
  /** Those that are listed. */
  pairs: readonly Pair[];
  private readonly walks: Map<string, Walk>;
  private readonly random: () => number;
  private lastId = 1000;

  constructor(pairs: readonly Pair[], seed: number) {
    this.pairs = pairs;
    this.random = randomNumbers(seed);
    this.walks = new Map(
      pairs.map((pair) => {
        const price = 100_000 + Math.floor(this.random() * 900_000);
        return [codeOf(pair), { pair, price, trades: [] }];
      }),
    );
  }

  /** Takes a pair out of the list: a subscription to it is refused. */
  delist(code: string): void {
    this.pairs = this.pairs.filter((pair) => codeOf(pair) !== code);
  }

  /** Lists a pair again. */
  relist(code: string): void {
    if (!this.pairs.some((pair) => codeOf(pair) === code))
      this.pairs = [...this.pairs, this.walk(code).pair];
  }

  /** The next trade of a pair. Times of a pair may not go back. */
  trade(code: string, time: number): Trade {
    const walk = this.walk(code);
    walk.price = Math.max(10_000, walk.price + Math.floor(this.random() * 401) - 200);
    const volume = 1 + Math.floor(this.random() * 2e8);
    const trade: Trade = {
      id: ++this.lastId,
      pair: walk.pair,
      price: decimal(walk.price, walk.pair.decimals),
      volume: decimal(volume, 8),
      side: this.random() < 0.5 ? 'buy' : 'sell',
      time,
    };
    walk.trades.push({ trade, price: walk.price, volume });
    return trade;
  }

  trades(code: string): Trade[] {
    return this.walk(code).trades.map(({ trade }) => trade);
  }

  /** The best bid and ask: one unit beside the last price. */
  topOfBook({ decimals, ...pair }: Pair): { bid: string; ask: string } {
    const { price } = this.walk(codeOf({ decimals, ...pair }));
    return { bid: decimal(price - 1, decimals), ask: decimal(price + 1, decimals) };
  }

  /** The bars of a period of `minutes`, oldest first, the last one open. */
  bars(code: string, minutes = 1): ExchangeBar[] {
    const { pair, trades } = this.walk(code);
    const period = minutes * 60_000;
    const groups = new Map<number, Walk['trades']>();
    for (const each of trades) {
      const start = Math.floor(each.trade.time / period) * period;
      const group = groups.get(start);
      if (group) group.push(each);
      else groups.set(start, [each]);
    }
    return [...groups].map(([time, all]) => {
      const prices = all.map(({ price }) => price);
      const text = (price = 0) => decimal(price, pair.decimals);
      return {
        time,
        open: text(prices[0]),
        high: text(Math.max(...prices)),
        low: text(Math.min(...prices)),
        close: text(prices.at(-1)),
        volume: decimal(
          all.reduce((sum, { volume }) => sum + volume, 0),
          8,
        ),
        count: all.length,
      };
    });
  }

  private walk(code: string): Walk {
    const walk = this.walks.get(code);
    if (!walk) throw new Error(`${code} is not listed`);
    return walk;
  }
}
