import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/open';
import { samples, seed } from '../../samples';
import { actions } from './actions';
import { Pair } from './pair';

describe('random sequences against the model of the rules', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ directory: 'memory://' });
  });
  afterAll(() => database.close());

  const runs = samples(40, 10_000);
  it(
    `${runs} of them end with the same orders and balances, and clean books`,
    async () => {
      const happened = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.array(actions, { minLength: 10, maxLength: 60, size: 'max' }),
          async (feePerLot, sequence) => {
            const pair = await Pair.open(database, feePerLot);
            for (const [index, action] of sequence.entries()) {
              await pair.act(action);
              if (index % 8 === 7) await pair.compare();
            }
            await pair.compare();
            await pair.end();
            for (const what of pair.what) happened.set(what, (happened.get(what) ?? 0) + 1);
          },
        ),
        { numRuns: runs, seed, endOnFailure: !process.env.SHRINK },
      );
      // A sequence in which nothing happens proves nothing.
      const everything = [
        'user',
        'stop_loss',
        'take_profit',
        'stop_out',
        'cancelled',
        'reset',
        'fill refused',
        'lifted',
        'submit true',
        'submit false',
        'close true',
        'close false',
        'cancel true',
        'cancel false',
        'stops true',
        'stops false',
      ];
      expect([...happened.keys()]).toEqual(expect.arrayContaining(everything));
      console.log(`${runs} sequences:`, Object.fromEntries([...happened].sort()));
    },
    24 * 3_600_000,
  );
});
