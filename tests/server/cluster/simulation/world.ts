import type { Log } from '../../../../server/core/log';
import type { SeededRandom } from '../../../workers/simulation/seededRandom';
import type { FakeClock } from '../../support/fakeClock';
import type { Truth } from './feedMarket';
import type { SimulatedNats } from './simulatedNats';
import type { SimulatedProcess } from './simulatedProcess';

/** What all processes of a simulation share, and who watches them. */
export interface World {
  readonly time: FakeClock;
  readonly random: SeededRandom;
  readonly nats: SimulatedNats;
  readonly truth: Truth;
  /** The feed that has had each epoch. */
  readonly epochs: Map<number, string>;
  /** What users are told that no prices come from. */
  readonly feedName: string;
  /** Whether prices have both sides, in a release that knows them. */
  readonly hasBook: boolean;
  readonly log: Log;
  /** Counts what has happened. */
  note(what: string): void;
  /** A feed has begun whose market is not that of the process. */
  onOtherMarket(process: SimulatedProcess): void;
  /** Something that must never be. */
  fail(text: string): void;
}
