import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, timeAfter } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import type { QuoteFill } from '#domain/trading/fill';
import { CommandLog } from '../../../server/commands/commandLog';
import { type Details, decodeDetails } from '../../../server/commands/details';
import { systemClock } from '../../../server/core/clock';
import type { Database } from '../../../server/db/database';
import { commands as recordedCommands } from '../../../server/db/schema';
import { depositEntry } from '../../../server/wallet/entries';
import { largeCount, samples, seed, seeds, tally } from '../../helpers/samples';
import { emptyDatabase } from '../support/database';
import { expectReplayed } from '../support/replayed';
import { actions, SELDOM } from '../trading/actions';
import { ModelComparison } from '../trading/modelComparison';

/** Kinds of commands that the sequences must contain, or they prove nothing. */
const KINDS = ['base', 'start', 'terms', 'open', 'post', 'erase', 'stops'];
const CAUSES = ['submit', 'close', 'cancel', 'amend', 'exits', 'reset', 'tick', 'nights', 'expiry'];

describe('random sequences, recorded', () => {
  let recorded: Database;
  beforeAll(async () => {
    recorded = await emptyDatabase();
  });
  afterAll(() => recorded.close());

  const runs = seeds(20, 10_000, 10);
  it(
    `are played again to the same books, in ${runs} runs`,
    () =>
      largeCount('order sequences played again to the same books', runs, async () => {
        const happened = new Map([...KINDS, ...CAUSES].map((kind) => [kind, 0]));
        await fc.assert(
          fc.asyncProperty(
            fc.boolean(),
            fc.constantFrom<QuoteFill>(0, 1, 2),
            fc.array(actions, { minLength: 10, maxLength: 60, size: 'max' }),
            fc.nat(60),
            async (feePerLot, quoteFill, sequence, moment) => {
              let now = systemClock.now();
              const commands = new CommandLog(1, () => now);
              const comparison = await ModelComparison.open(
                recorded,
                feePerLot,
                quoteFill,
                commands,
              );
              for (const [index, action] of sequence.entries()) {
                await comparison.act(action);
                await beside(comparison, index);
                if (index !== moment) continue;
                now = timeAfter(now, DAY_MS);
                await comparison.trading.engine.recordBase();
              }
              expect(comparison.trading.errors).toEqual([]);
              comparison.trading.close();
              await expectReplayed(recorded);
              now = timeAfter(now, DAY_MS);
              const kinds = await kindsOf(recorded);
              await commands.purge(recorded.db);
              if (moment < sequence.length)
                expect((await kindsOf(recorded)).filter((kind) => kind === 'base')).toHaveLength(1);
              await expectReplayed(recorded);
              for (const kind of new Set(kinds)) happened.set(kind, (happened.get(kind) ?? 0) + 1);
            },
          ),
          {
            ...{ numRuns: runs, seed, endOnFailure: !process.env.SHRINK },
            examples: [[true, 0, SELDOM, 5]],
          },
        );
        for (const [kind, count] of happened) expect(count, kind).toBeGreaterThan(0);
        return `sequences with ${tally(happened)}`;
      }),
    samples(180_000, 24 * 3_600_000),
  );
});

/** What moves money, or writes stops, beside the orders of a sequence. */
async function beside({ trading }: ModelComparison, index: number): Promise<void> {
  if (index % 3 === 2) {
    await trading.run((work) => trading.engine.savePosition(work.tx));
    trading.engine.positionSaved();
  }
  if (index % 16 === 5) {
    const id = await trading.addUser();
    await trading.run((work) =>
      trading.ledger.post(work, [depositEntry(id, 1, toUsd('12.345678'))]),
    );
  }
  if (index % 16 === 9) {
    const id = await trading.addUser();
    await trading.run((work) => trading.ledger.erase(work.tx, [id]));
  }
}

/** Of the recorded commands, and what has changed orders. */
async function kindsOf({ db }: Database): Promise<string[]> {
  const rows = await db.select().from(recordedCommands);
  return rows.map(({ kind, details }) =>
    kind === 'order' ? decodeDetails<Details['order']>(details).cause.kind : kind,
  );
}
