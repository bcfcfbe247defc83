import { afterEach, describe, expect, it, vi } from 'vitest';
import { inTurn, largeCount, SUITES, seed, seeds } from '../../helpers/samples';
import { problemsOf } from '../../histories/checkHistory';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { emptyDatabase } from '../support/database';
import { TestExchange } from '../trading/testExchange';
import { TradedExchange } from './tradedExchange';
import { WRONG_SERVERS } from './wrongServers';

/** Of so many moments at which the mistake could be made it is made at one. */
const ONCE_IN = 2;

describe('a wrong server is found each time', () => {
  afterEach(() => vi.restoreAllMocks());

  for (const [name, plant] of Object.entries(WRONG_SERVERS)) {
    inTurn(it, SUITES)(
      name,
      () =>
        largeCount(`wrong servers found: ${name}`, seeds(2, 200, 100), async (progress) => {
          let made = 0;
          const runs = seeds(2, 200, 100);
          for (let run = seed; made < runs; run++) {
            expect(run, 'it is hardly ever made').toBeLessThan(seed + 10 * runs);
            if (await isMadeAndFound(plant, run)) made++;
            if (!progress(made)) break;
          }
          return `each of ${made}`;
        }),
      3_600_000,
    );
  }

  /** Whether the mistake was made: then it must have been found. */
  async function isMadeAndFound(plant: (now: () => boolean) => void, run: number) {
    const random = new SeededRandom(run);
    const database = await emptyDatabase();
    const exchange = await TestExchange.open(database.db);
    let isMade = false;
    plant(() => {
      if (isMade || !random.chance(1 / ONCE_IN)) return false;
      isMade = true;
      return true;
    });
    try {
      const traded = new TradedExchange(exchange, random);
      const history = await traded.run({ phones: 1, calls: 30, isLossless: true });
      if (isMade) expect(problemsOf(history), `SEED=${run}`).not.toEqual([]);
      return isMade;
    } finally {
      vi.restoreAllMocks();
      await exchange.close();
      await database.close();
    }
  }
});
