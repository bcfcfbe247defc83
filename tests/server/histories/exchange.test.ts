import { describe, expect, it } from 'vitest';
import { addUp, inTurn, largeCountInPieces, seed, seeds, tally } from '../../helpers/samples';
import { problemsOf } from '../../histories/checkHistory';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { onEachDatabase } from '../support/database';
import { emptyTables } from '../support/tables';
import { TestExchange } from '../trading/testExchange';
import { TradedExchange } from './tradedExchange';

onEachDatabase((database) => {
  describe('histories of users on one server', () => {
    const runs = seeds(2, 1_000, 10);
    inTurn(it)(
      `${runs} of them are linearizable, and each push is explained`,
      () =>
        largeCountInPieces(
          `histories of users, ${database.name}`,
          runs,
          50,
          async ({ from, count }) => {
            const happened: Record<string, number>[] = [];
            for (let run = seed + from; run < seed + from + count; run++)
              happened.push(await recorded(run));
            return addUp(happened);
          },
          (results) => `linearizable, and each push is explained; ${tally(addUp(results))}`,
        ),
      21_600_000,
    );
  });

  async function recorded(run: number): Promise<Record<string, number>> {
    await emptyTables(database.db);
    const exchange = await TestExchange.open(database.db);
    try {
      const traded = new TradedExchange(exchange, new SeededRandom(run));
      const history = await traded.run();
      expect(problemsOf(history), `SEED=${run}`).toEqual([]);
      return traded.happened;
    } finally {
      await exchange.close();
    }
  }
});
