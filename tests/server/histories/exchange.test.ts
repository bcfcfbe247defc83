import { describe, expect, it } from 'vitest';
import { seed, seeds } from '../../helpers/samples';
import { problemsOf } from '../../histories/checkHistory';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { onEachDatabase } from '../support/database';
import { emptyTables } from '../support/tables';
import { TestExchange } from '../trading/testExchange';
import { TradedExchange } from './tradedExchange';

onEachDatabase((database) => {
  describe('histories of users on one server', () => {
    const runs = seeds(3, 1_000, 10);
    it(`${runs} of them are linearizable, and each push is explained`, async () => {
      for (let run = seed; run < seed + runs; run++) {
        await emptyTables(database.db);
        const exchange = await TestExchange.open(database.db);
        try {
          const traded = new TradedExchange(exchange, new SeededRandom(run));
          const history = await traded.run();
          const problems = problemsOf(history);
          expect(problems, `SEED=${run}`).toEqual([]);
        } finally {
          await exchange.close();
        }
      }
    });
  });
});
