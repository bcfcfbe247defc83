import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import { SteadyClock } from '../core/steadyClock';
import type { Db } from '../db/database';
import { tradedUntil } from '../db/latestTime';
import { LiveMarket } from './live/liveMarket';
import type { LiveOptions } from './live/liveOptions';
import type { Market } from './market';
import { ReplayMarket, type ReplayOptions } from './replay/replayMarket';
import { savedSeed } from './simulated/savedSeed';
import {
  SimulatedMarket,
  type SimulatedOptions,
  simulatedSource,
} from './simulated/simulatedMarket';

export interface MarketOptions extends Omit<SimulatedOptions, 'seed'> {
  /** Empty: the one that the database keeps. */
  seed: string;
  /** A recorded market instead of the simulated one. */
  replay?: Omit<ReplayOptions, 'feeType'> | undefined;
  /** Live exchanges instead of it. */
  live?: Omit<LiveOptions, 'feeType'> | undefined;
  log: Log;
}

/**
 * Creates the configured market without starting it. Throws an error for the operator where a file
 * can't be replayed, or no exchange be reached.
 */
export async function createMarket(
  { replay, live, log, ...simulated }: MarketOptions,
  db: Db,
  clock: Clock,
): Promise<Market> {
  if (replay) {
    // Its time is that of the data, which does not depend on the system's clock.
    const steady = new SteadyClock(clock);
    const { feeType, hasBook = false } = simulated;
    return ReplayMarket.open({ ...replay, feeType, hasBook }, db, steady, log);
  }
  if (live) {
    return LiveMarket.open(
      { ...live, feeType: simulated.feeType },
      db,
      new SteadyClock(clock),
      log,
    );
  }
  const seed = simulated.seed || (await savedSeed(db));
  const until = await tradedUntil(db, simulatedSource(seed));
  return new SimulatedMarket({ ...simulated, seed }, clock, log, until);
}
