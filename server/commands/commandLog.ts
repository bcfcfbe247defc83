import { desc, lt, sql } from 'drizzle-orm';
import { DAY_MS, timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import { deleteOld } from '../db/deleteOld';
import { lastIdOf } from '../db/idRange';
import { commands, ledgerAccounts } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import type { WrittenRows } from '../db/writeRows';
import { loadOpenOrders } from '../trading/orderStore';
import { type Details, encodeDetails, type MatchingSettings } from './details';
import { IS_BASE } from './recordedBooks';

type Row = WrittenRows['commands'][number];

/**
 * What changes orders and money, recorded in the transaction of its change, so that a day can be played again
 * (operations.md#replay-of-a-day). Refused commands change nothing, and are not recorded.
 */
export class CommandLog {
  private readonly days: number;
  private readonly now: () => UnixMs;

  /** `days`: how long commands are kept; 0: nothing is recorded. */
  constructor(days: number, now: () => UnixMs) {
    this.days = days;
    this.now = now;
  }

  get isOn(): boolean {
    return this.days > 0;
  }

  /** The row of a command; none where nothing is recorded. `userId`: 0 for none, or several. */
  row<Kind extends keyof Details>(
    kind: Kind,
    userId: number,
    details: Details[Kind],
    at = new Date(this.now()),
  ): Row[] {
    return this.isOn ? [{ userId, kind, details: encodeDetails(details), at }] : [];
  }

  /** At the start of a process: what is recorded from here on. */
  async begin(work: UnitOfWork, details: Details['start']): Promise<void> {
    if (!this.isOn) {
      // What is recorded later would not follow from it.
      await work.tx.delete(commands);
      return;
    }
    if (await this.lastBase(work.tx)) {
      await work.writeRows({ commands: this.row('start', 0, details) });
    } else await this.writeBase(work, details);
  }

  /** Whether the last base is a day old. */
  async isBaseDue(db: Db): Promise<boolean> {
    if (!this.isOn) return false;
    const last = await this.lastBase(db);
    return !last || last.at.getTime() <= this.now() - DAY_MS;
  }

  /** Writes what is open and all balances: commands are played from here on. The caller has everything recorded afresh. */
  async writeBase(work: UnitOfWork, settings: MatchingSettings): Promise<void> {
    const { tx } = work;
    // Demo accounts are opened beside other transactions: those before are in it, those after come after it.
    await tx.execute(sql`lock table ${ledgerAccounts} in share mode`);
    const accounts = await tx.select().from(ledgerAccounts).orderBy(ledgerAccounts.owner);
    const { feed, feeType, quoteFill, swap } = settings;
    const base: Details['base'] = {
      ...{ feed, feeType, quoteFill, swap },
      orders: await loadOpenOrders(tx),
      accounts: accounts.map(({ owner, kind, balance }) => [owner, kind, balance]),
      lastOrderId: await lastIdOf(tx, 'orders'),
      lastEntryId: await lastIdOf(tx, 'journal_entries'),
    };
    await work.writeRows({ commands: this.row('base', 0, base) });
  }

  /** Deletes what is older than it has to be kept, up to a base. */
  async purge(db: Db): Promise<void> {
    const kept = timeAfter(this.now(), toDurationMs(-this.days * DAY_MS));
    const { id, at } = commands;
    const bases = await db.select({ id, at }).from(commands).where(IS_BASE).orderBy(desc(id));
    const first = bases.find((base) => base.at.getTime() <= kept);
    if (first) await deleteOld(db, commands, lt(id, first.id), id);
  }

  private async lastBase(db: Db): Promise<{ at: Date } | undefined> {
    const { id, at } = commands;
    const [last] = await db.select({ at }).from(commands).where(IS_BASE).orderBy(desc(id)).limit(1);
    return last;
  }
}
