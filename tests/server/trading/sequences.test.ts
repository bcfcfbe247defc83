import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuoteFill } from '#domain/trading/fill';
import type { Database } from '../../../server/db/database';
import { largeCount, samples, seed, seeds, tally } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { actions, SELDOM } from './actions';
import { ModelComparison } from './modelComparison';

/** The sequences must contain all of these, or they prove nothing. */
const EVERYTHING = [
  'user',
  'stop_loss',
  'take_profit',
  'stop_out',
  'cancelled',
  'reset',
  'fill refused',
  'margin of 0.00 refused',
  'too fine a stop refused',
  'lifted',
  'followed',
  'filled at bid or ask',
  'distance refused',
  'submit true',
  'submit false',
  'close true',
  'close false',
  'part true',
  'part false',
  'cancel true',
  'cancel false',
  'expired',
  'past expiry refused',
  'night',
  'triple night',
  'swap earned',
  'swap divided',
  'margin amended',
  'amended into a fill',
  'amend true',
  'amend false',
  'stops true',
  'stops false',
];

const TRUNCATE = sql`truncate users, ledger_accounts, journal_entries, postings, orders restart identity cascade`;

describe('random sequences against the model of the rules', () => {
  let database: Database;
  beforeAll(async () => {
    database = await emptyDatabase();
  });
  afterAll(() => database.close());

  const runs = seeds(40, 10_000);
  it(
    `end with the same orders and balances, and pass the audit, in ${runs} runs`,
    () =>
      largeCount('order sequences equal to the model, each audited', runs, async () => {
        const happened = new Map(EVERYTHING.map((what) => [what, 0]));
        let actionsTaken = 0;
        let begun = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.boolean(),
            fc.constantFrom<QuoteFill>(0, 1, 2),
            fc.array(actions, { minLength: 10, maxLength: 60, size: 'max' }),
            async (feePerLot, quoteFill, sequence) => {
              // Deleted rows take space until then.
              if (begun++ % 50 === 0) await database.db.execute(TRUNCATE);
              const comparison = await ModelComparison.open(database, feePerLot, quoteFill);
              for (const [index, action] of sequence.entries()) {
                await comparison.act(action);
                if (index % 8 === 7) await comparison.compare(0, 1);
              }
              await comparison.compare(0, 1, 3);
              await comparison.end();
              actionsTaken += sequence.length;
              for (const what of comparison.what) happened.set(what, (happened.get(what) ?? 0) + 1);
            },
          ),
          {
            ...{ numRuns: runs, seed, endOnFailure: !process.env.SHRINK },
            examples: [[true, 0, SELDOM]],
          },
        );
        for (const what of EVERYTHING) expect(happened.get(what), what).toBeGreaterThan(0);
        happened.delete('');
        return `${actionsTaken} actions; sequences with ${tally(happened)}`;
      }),
    samples(180_000, 24 * 3_600_000),
  );
});
