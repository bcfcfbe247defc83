import { and, eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { timeOf, type UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import type { UnitOfWork } from '../db/transactions';
import { CODE_REFUSED, Refusal } from '../http/refusal';

/** An item that waits for a decision. */
interface Review {
  id: number;
  /** The wall clock. */
  since: UnixMs;
  /** Description on one line. */
  title: string;
}

/**
 * One kind of item that the operator decides on: verifications, deposits, withdrawals, redemptions.
 */
export interface ReviewQueue {
  /** As the operator types it. */
  readonly kind: string;
  /** Oldest first. */
  pending(): Promise<Review[]>;
  /**
   * Everything a decision needs, by name; undefined where the item does not exist. `origin` is used
   * in the addresses of pictures.
   */
  show(id: number, origin: string): Promise<Record<string, string> | undefined>;
  /** Whose it is; undefined where the item does not exist. */
  ownerOf(id: number): Promise<{ id: number; uid: string } | undefined>;
  /** Both throw a Refusal where the item is not pending (any more). The user reads `reason`. */
  approve(work: UnitOfWork, id: number): Promise<void>;
  reject(work: UnitOfWork, id: number, reason: string): Promise<void>;
}

/** A decision about one pending row. */
interface Decision<Row> {
  work: UnitOfWork;
  row: Row;
  /** Writes columns of the row; returns the new row. */
  update(values: Partial<Row>): Promise<Row>;
}

/** A queue whose subject has further decisions. */
export interface TableQueue<Row> extends ReviewQueue {
  /** Decides on a pending row. Throws a Refusal where it is not pending. */
  decide(
    work: UnitOfWork,
    id: number,
    decision: (decision: Decision<Row>) => Promise<void>,
  ): Promise<void>;
}

type ReviewedTable = PgTable & { id: PgColumn; userId: PgColumn; status: PgColumn };

export interface ReviewQueueOptions<Row> {
  db: Db;
  kind: string;
  /** The status of pending rows. */
  pendingStatus: string;
  submittedAt(row: Row): Date;
  /** What follows the user in the list; empty for nothing. */
  title(row: Row): string;
  /** What `show` returns besides user and status. */
  details(row: Row, origin: string): Record<string, string>;
  approve(decision: Decision<Row>): Promise<void>;
  reject(decision: Decision<Row>, reason: string): Promise<void>;
}

/** Creates the review queue of a table of users' requests. */
export function createReviewQueue<Table extends ReviewedTable>(
  table: Table,
  options: ReviewQueueOptions<Table['$inferSelect']>,
): TableQueue<Table['$inferSelect']> {
  type Row = Table['$inferSelect'];
  const { db, kind, pendingStatus, submittedAt, title, details, approve, reject } = options;

  // Drizzle can't infer the rows of a table that is a type parameter.
  const select = async (condition: ReturnType<typeof eq>) => {
    const rows = await db
      .select({
        row: table as PgTable,
        user: { id: users.id, uid: users.uid, lockedAt: users.lockedAt },
        status: table.status,
      })
      .from(table as PgTable)
      .innerJoin(users, eq(users.id, table.userId))
      .where(condition);
    return rows as {
      row: Row;
      user: { id: number; uid: string; lockedAt: Date | null };
      status: string;
    }[];
  };

  const decide: TableQueue<Row>['decide'] = async (work, id, decision) => {
    // Units of work of one process run one at a time. The lock keeps another process out.
    const rows = await work.tx
      .select()
      .from(table as PgTable)
      .where(and(eq(table.id, id), eq(table.status, pendingStatus)))
      .for('update');
    const [row] = rows as Row[];
    if (!row) throw new Refusal(CODE_REFUSED, 'server.notWaiting');
    const update = async (values: Partial<Row>) => {
      const [updated] = await work.tx
        .update(table as PgTable)
        .set(values)
        .where(eq(table.id, id))
        .returning();
      return updated as Row;
    };
    await decision({ work, row, update });
  };

  return {
    kind,
    decide,
    async pending() {
      const rows = await select(eq(table.status, pendingStatus));
      return rows
        .map(({ row, user }) => ({
          id: (row as { id: number }).id,
          since: timeOf(submittedAt(row)),
          title: [`user ${user.uid}`, title(row)].filter(Boolean).join(': '),
        }))
        .sort((a, b) => a.since - b.since || a.id - b.id);
    },
    async show(id, origin) {
      const [found] = await select(eq(table.id, id));
      if (!found) return undefined;
      const { uid, lockedAt } = found.user;
      const locked: Record<string, string> = lockedAt ? { locked: lockedAt.toISOString() } : {};
      // As each list calls it, whatever the table does.
      const status = found.status === pendingStatus ? 'under review' : found.status;
      return { user: uid, ...locked, status, ...details(found.row, origin) };
    },
    async ownerOf(id) {
      const [found] = await select(eq(table.id, id));
      return found && { id: found.user.id, uid: found.user.uid };
    },
    approve: (work, id) => decide(work, id, approve),
    reject: (work, id, reason) => decide(work, id, (decision) => reject(decision, reason)),
  };
}
