import { createHash } from 'node:crypto';
import { and, eq, getTableName, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../db/database';
import * as schema from '../../db/schema';

const {
  users,
  credentials,
  sessions,
  secondFactors,
  recoveryCodes,
  knownDevices,
  codes,
  pictures,
  verifications,
  payoutMethods,
  deposits,
  withdrawals,
  orders,
  alerts,
  notices,
  marginWarnings,
  subscriptions,
  incomes,
  answers,
  ledgerAccounts,
  journalEntries,
  postings,
  pushSubscriptions,
  pushDeliveries,
} = schema;

/** A table, and which of its rows are a user's. */
interface AccountTable {
  table: PgTable;
  of(userId: number): SQL | undefined;
}

/** Those of the ledger, which removes them itself (`Ledger.erase`). */
const LEDGER: readonly AccountTable[] = [
  { table: ledgerAccounts, of: (id) => eq(ledgerAccounts.owner, id) },
  { table: journalEntries, of: (id) => inArray(journalEntries.id, entriesOf(id)) },
  { table: postings, of: (id) => inArray(postings.entryId, entriesOf(id)) },
];

/** Where an account is, each table after those that it refers to. */
const MOVED: readonly AccountTable[] = [
  { table: users, of: (id) => eq(users.id, id) },
  ...[
    ...[credentials, sessions, secondFactors, recoveryCodes, knownDevices],
    ...[
      payoutMethods,
      withdrawals,
      orders,
      alerts,
      notices,
      marginWarnings,
      subscriptions,
      answers,
    ],
  ].map((table): AccountTable => ({ table, of: (id) => eq(table.userId, id) })),
  { table: codes, of: codesOf },
  { table: pictures, of: (id) => eq(pictures.ownerId, id) },
  { table: verifications, of: (id) => eq(verifications.userId, id) },
  { table: deposits, of: (id) => eq(deposits.userId, id) },
  {
    table: incomes,
    of: (id) =>
      inArray(
        incomes.subscriptionId,
        sql`(select id from ${subscriptions} where ${subscriptions.userId} = ${id})`,
      ),
  },
];

/**
 * What ends with a move: browsers take messages by the key pair of one engine. They subscribe again when the app is opened
 * (D122).
 */
const ENDED: readonly AccountTable[] = [
  { table: pushSubscriptions, of: (id) => eq(pushSubscriptions.userId, id) },
  {
    table: pushDeliveries,
    of: (id) =>
      inArray(
        pushDeliveries.subscriptionId,
        sql`(select id from ${pushSubscriptions} where ${pushSubscriptions.userId} = ${id})`,
      ),
  },
];

/** Every table that has rows of users, by what a move does with them. */
export const ACCOUNT_TABLES = {
  moved: [...MOVED, ...LEDGER].map(({ table }) => getTableName(table)),
  ended: ENDED.map(({ table }) => getTableName(table)),
};

/** The rows of an account by table, each as JSON text: so that no amount becomes a floating-point number. */
export type AccountRows = [table: string, rows: string[]][];

/** Limit of one statement. */
const ROWS_AT_ONCE = 5_000;

/** Reads all that moves with an account, as of one moment. */
export function readAccount(db: Db, userId: number): Promise<AccountRows> {
  return db.transaction((tx) => rowsOf(tx, userId), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

async function rowsOf(tx: Tx, userId: number): Promise<AccountRows> {
  // Times as text are the same everywhere.
  await tx.execute(sql`set local timezone = 'UTC'`);
  const all: AccountRows = [];
  for (const { table, of } of [...MOVED, ...LEDGER]) {
    const { rows } = await tx.execute<{ row: string }>(
      sql`select to_jsonb(${table})::text as row from ${table} where ${of(userId)}`,
    );
    all.push([getTableName(table), rows.map(({ row }) => row).sort()]);
  }
  return all;
}

/** How many rows an account has in each table where it has any: those that move, and those that end. */
export async function countRows(
  db: Db,
  userId: number,
): Promise<{ moved: [string, number][]; ended: [string, number][] }> {
  const countsOf = async (tables: readonly AccountTable[]) => {
    const counts: [string, number][] = [];
    for (const { table, of } of tables) {
      const count = await db.$count(table, of(userId));
      if (count > 0) counts.push([getTableName(table), count]);
    }
    return counts;
  };
  return { moved: await countsOf([...MOVED, ...LEDGER]), ended: await countsOf(ENDED) };
}

/** Writes the rows of an account that has come. Throws where they are not here afterwards exactly as they were there. */
export async function writeAccount(tx: Tx, userId: number, account: AccountRows): Promise<void> {
  const given = new Map(account);
  for (const { table } of [...MOVED, ...LEDGER]) {
    const rows = given.get(getTableName(table)) ?? [];
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = `[${rows.slice(from, from + ROWS_AT_ONCE).join(',')}]`;
      await tx.execute(
        sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${some}::jsonb)`,
      );
    }
  }
  if (digestOf(await rowsOf(tx, userId)) !== digestOf(account)) {
    throw new Error('the rows of the account are others here: both engines need the same release');
  }
}

/** Deletes the rows of an account that has left, but for those of the ledger. */
export async function deleteAccount(tx: Tx, userId: number): Promise<void> {
  for (const { table, of } of [...MOVED, ...ENDED].reverse()) {
    await tx.delete(table).where(of(userId));
  }
}

function digestOf(account: AccountRows): string {
  return createHash('sha256').update(JSON.stringify(account)).digest('hex');
}

/** Ids of the entries that move the user's money. */
function entriesOf(userId: number): SQL {
  return sql`(select p.entry_id from ${postings} p where p.owner = ${userId})`;
}

/** Codes that were sent: those of payouts are by the user's id, the others by an address. */
function codesOf(userId: number): SQL | undefined {
  const address = (column: PgColumn) =>
    sql`(select ${column} from ${users} where ${users.id} = ${userId} and ${column} <> '')`;
  return or(
    and(inArray(codes.purpose, ['draw', 'bind']), eq(codes.address, String(userId))),
    and(
      inArray(codes.purpose, ['register', 'reset']),
      ne(codes.address, ''),
      or(
        inArray(codes.address, address(users.email)),
        inArray(codes.address, address(users.mobile)),
      ),
    ),
  );
}
