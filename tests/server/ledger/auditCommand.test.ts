import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { openDatabase } from '../../../server/db/open';
import { runAudit } from '../../../server/ledger/auditCommand';
import { Ledger } from '../../../server/ledger/ledger';
import { databaseDirectory } from '../support/dataDirectory';

it('the command names each difference, and fails where there is one', async () => {
  const directory = databaseDirectory();
  const audited = async () => {
    const lines: string[] = [];
    return [await runAudit({ directory }, (line) => lines.push(line)), ...lines];
  };
  expect(await audited()).toEqual([0, 'The books are right.']);
  const { db, close } = await openDatabase({ directory });
  await new Ledger(() => toUnixMs(0)).prepare(db);
  await db.execute(sql`update ledger_accounts set balance = 1 where kind in ('fees', 'swaps')`);
  await close();
  const [code, ...lines] = await audited();
  const difference = 'a balance is the sum of its postings: expected 0.000000, found 1.000000';
  expect([code, lines.sort()]).toEqual([
    1,
    [`0 fees: ${difference}`, `0 swaps: ${difference}`, '2 differences.'],
  ]);
});
