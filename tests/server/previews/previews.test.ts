import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database';
import { audit } from '../../../server/ledger/audit';
import { drawn, largeCount, samples, seed, tally } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { oddInstruments } from '../trading/oddInstruments';
import { Client } from './client';
import { OPERATIONS, PreviewComparison, wishes } from './previewComparison';

/** The settings that change what an order costs and where it fills (operations.md#options). */
const SETTINGS = [
  ['--trade-fee-type 1', 0],
  ['--trade-fee-type 2', 0],
  ['--trade-fee-type 2 --live kraken --fill-at-quote 1', 1],
  ['--trade-fee-type 1 --fill-at-quote 2', 2],
] as const;
/** Both margin modes, and as many decimals, steps and units. */
const LISTED = 24;
/** How often something is tried that market or account do not allow. */
const TRIES = samples(10, 20);

describe.each(drawn(SETTINGS, SETTINGS.length))(
  'what the user of a server with %s is told before',
  (settings, quoteFill) => {
    let database: Database;
    let client: Client;
    let comparison: PreviewComparison;
    beforeAll(async () => {
      database = await emptyDatabase();
      client = await Client.open(database.db, oddInstruments(LISTED), settings.split(' '));
      comparison = await PreviewComparison.begin(client, quoteFill);
    });
    afterAll(async () => {
      await client.close();
      await database.close();
    });

    const rounds = samples(1, 300);
    it(
      'is what it books, digit for digit',
      () =>
        largeCount(
          `rounds of operations booked as previewed, ${settings}`,
          rounds,
          async (progress) => {
            const wished = fc.sample(wishes, {
              numRuns: rounds * OPERATIONS.length * TRIES,
              seed: seed + SETTINGS.findIndex(([each]) => each === settings),
            });
            for (let round = 0; round < rounds; round++) {
              for (const operation of OPERATIONS) {
                let happened = false;
                for (let tries = 0; !happened && tries < TRIES; tries++) {
                  const wish = wished.pop() ?? expect.fail('no wish is left');
                  happened = await comparison.run(operation, wish);
                }
                expect(happened, operation).toBe(true);
              }
              expect(await audit(database.db)).toEqual([]);
              if (!progress(round + 1)) break;
            }
            await comparison.end();
            expect(await audit(database.db)).toEqual([]);
            return tally(comparison.happened);
          },
        ),
      samples(180_000, 24 * 3_600_000),
    );
  },
);
