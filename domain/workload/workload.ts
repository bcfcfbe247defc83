import type { TradingWorkerApi } from '../worker/trading';
import type { WorkerApi } from '../worker/workerApi';

/** A workload of /bench, as of `npm run bench`. */
export interface Workload {
  /** The screen under test: the market list, the chart of its first instrument, or the order form with four key presses a second. */
  screen: 'list' | 'chart' | 'ticket';
  /** Source of the quotes. With `server`, only rows and scrolling apply. */
  source: 'device' | 'server';
  instruments: number;
  /** Quotes a second, of all instruments; 0: nothing moves. */
  rate: number;
  /** Visible rows of the list. */
  rows: number;
  /** Quotes in one message. */
  perMessage: number;
  /** Distribution over the instruments: even, or Zipf with the first of the list most often. */
  spread: 'even' | 'zipf';
  /** `burst`: all quotes of a second come in its first tenth. */
  rhythm: 'steady' | 'burst';
  /** Whether the list is scrolled. */
  scrolling: 'still' | 'fling';
  seed: number;
}

/** A worker like the app's, with its own market. It stores nothing. */
export interface BenchWorkerApi extends WorkerApi, TradingWorkerApi {
  /** Starts the quotes. */
  play(): void;
  /** Stops the quotes. Returns the last price sent of each instrument, by code; undefined for quotes of the server. */
  end(): Record<string, number> | undefined;
}
