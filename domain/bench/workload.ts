import type { Gateway } from '../gateway/gateway';
import type { TradingGateway } from '../gateway/trading';

/** What the benchmark of /bench plays: the workloads of `npm run bench`. */
export interface Workload {
  /** What is looked at: the market list, the chart of its first instrument, or the order form, with a key four times a second. */
  screen: 'list' | 'chart' | 'ticket';
  /** Where the quotes come from; of the server's nothing else can be chosen but rows and scrolling. */
  source: 'device' | 'server';
  instruments: number;
  /** Quotes a second, of all instruments; 0: nothing moves. */
  rate: number;
  /** Rows in sight, of the list. */
  rows: number;
  /** Quotes in one message. */
  perMessage: number;
  /** Evenly over all instruments, or by Zipf with the first of the list most often. */
  spread: 'even' | 'zipf';
  /** `burst`: the quotes of each second come within its first tenth. */
  rhythm: 'steady' | 'burst';
  /** What a finger does to the list. */
  scrolling: 'still' | 'fling';
  seed: number;
}

/** A worker as the app's own, on a market of its own; nothing of it is kept. */
export interface BenchGateway extends Gateway, TradingGateway {
  /** The quotes begin. */
  play(): void;
  /** No more quotes. Resolves to the last price of each instrument that was sent, by its code; undefined where the server makes them. */
  end(): Record<string, number> | undefined;
}
