import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { ledgerAccounts } from '../../../server/db/schema';
import { createAuditTask } from '../../../server/ledger/auditTask';
import { Ledger } from '../../../server/ledger/ledger';
import { onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';

onEachDatabase((database) => {
  it('audits the ledger of the running server every few hours, and names what differs', async () => {
    const { db } = database;
    const clock = new FakeClock();
    const logged: string[] = [];
    const found: number[] = [];
    const error = (text: string) => logged.push(text);
    await new Ledger(() => toUnixMs(0)).prepare(db);
    const audits = createAuditTask({
      db,
      every: 2,
      clock,
      log: { info() {}, warn() {}, error },
      onAudited: (differences) => found.push(differences),
    });
    audits.start();
    clock.pass(7_199_999);
    expect(found).toEqual([]);
    clock.pass(1);
    await expect.poll(() => found).toEqual([0]);
    await db
      .update(ledgerAccounts)
      .set({ balance: '1.000000' })
      .where(eq(ledgerAccounts.kind, 'fees'));
    await expect.poll(() => clock.awaited).toBe(true);
    clock.pass(7_200_000);
    await expect.poll(() => found).toEqual([0, 1]);
    expect(logged).toEqual([
      'audit: 0 fees: a balance is the sum of its postings: expected 0.000000, found 1.000000',
    ]);
    await audits.stop();
    expect(clock.awaited).toBe(false);
  });
});
