import type { TradingWorkerApi } from '../worker/trading';
import type { WorkerApi } from '../worker/workerApi';
import type { SentQuotes } from './ages';
import type { Wanted } from './gate';

/** What the worker's market has sent when it ends. */
export interface SentMarket extends SentQuotes {
  /** When each message was due, unix ms by the worker's clock: a device that sends it late shows it late. */
  sentAt: number[];
  /** The largest delay of a message, ms. */
  late: number;
  /** The last quote of each instrument, by its name. */
  last: ReadonlyMap<string, Wanted>;
}

/** A worker like the app's, with its own market. It stores nothing. */
export interface BenchWorkerApi extends WorkerApi, TradingWorkerApi {
  /** Starts the quotes. */
  play(): void;
  /** Stops the quotes. */
  end(): SentMarket;
  /** The clock of the worker's market, unix ms. */
  now(): number;
}
