import { type ExchangeName, FakeExchange } from './exchange';
import { codeOf } from './market';

/** As real exchanges: what the wall clock says. */
export const wallClock = {
  now: () => Date.now(),
  after(delay: number, action: () => void): () => void {
    const timer = setTimeout(action, delay);
    return () => clearTimeout(timer);
  },
};

/** Trades before the start: so long, and so often. */
const PAST_MS = 10 * 60_000;
const PAST_EVERY_MS = 2_000;

/** A fake exchange that trades by itself, in real time. */
export class RealTimeExchange {
  readonly exchange: FakeExchange;
  /** Whether it trades. */
  trading = true;
  private readonly timer: NodeJS.Timeout;

  private constructor(exchange: FakeExchange, tradesPerSecond: number) {
    this.exchange = exchange;
    let next = 0;
    this.timer = setInterval(() => {
      const { pairs } = exchange.market;
      const pair = pairs[next++ % pairs.length];
      if (this.trading && pair) exchange.trade(codeOf(pair));
    }, 1000 / tradesPerSecond);
  }

  static async start(
    name: ExchangeName,
    { port = 0, seed = 1, tradesPerSecond = 10 } = {},
  ): Promise<RealTimeExchange> {
    const exchange = await FakeExchange.start(name, wallClock, seed, port);
    const now = wallClock.now();
    for (let time = now - PAST_MS; time < now; time += PAST_EVERY_MS) {
      for (const pair of exchange.market.pairs) exchange.market.trade(codeOf(pair), time);
    }
    return new RealTimeExchange(exchange, tradesPerSecond);
  }

  /** Options of the server that trades its prices. */
  get serverOptions(): string[] {
    const { port } = this.exchange;
    return ['--live-ws', `ws://127.0.0.1:${port}`, '--live-rest', `http://127.0.0.1:${port}/`];
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.exchange.stop();
  }
}
