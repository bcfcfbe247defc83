import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Db } from '../db/open';
import type { Market } from './market';
import { ReplayMarket, type ReplayOptions } from './replay/replayMarket';
import { SimulatedMarket, type SimulatedOptions } from './simulated/simulatedMarket';

export interface MarketOptions extends SimulatedOptions {
  /** A recorded market instead of the simulated one. */
  replay?: Omit<ReplayOptions, 'feeType'> | undefined;
  log: Log;
}

/**
 * Creates the configured market without starting it. Throws an error for the operator where a file
 * can't be replayed.
 */
export async function createMarket(
  { replay, log, ...simulated }: MarketOptions,
  db: Db,
  clock: Clock,
): Promise<Market> {
  return replay
    ? ReplayMarket.open({ ...replay, feeType: simulated.feeType }, db, clock, log)
    : new SimulatedMarket(simulated, clock, log);
}
