import { eq, sql } from 'drizzle-orm';
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
    const found: (number | undefined)[] = [];
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
    expect([found, clock.awaited]).toEqual([[], true]);
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
    const owners = Array.from({ length: 30 }, (_, index) => 1000 + index);
    const account = (owner: number) => ({ owner, kind: 'available', balance: '1.000000' }) as const;
    await db.insert(ledgerAccounts).values(owners.map(account));
    await expect.poll(() => clock.awaited).toBe(true);
    clock.pass(7_200_000);
    await expect.poll(() => found.at(-1)).toBeGreaterThan(30);
    // What is wrong everywhere would fill the log.
    expect(logged).toHaveLength(1 + 20);
    await expect.poll(() => clock.awaited).toBe(true);
    await db.execute(sql`alter table ledger_accounts rename to elsewhere`);
    clock.pass(7_200_000);
    await expect.poll(() => found.at(-1)).toBeUndefined();
    await audits.stop();
    await db.execute(sql`alter table elsewhere rename to ledger_accounts`);
    expect(clock.awaited).toBe(false);
  });
});
