import { eq, getTableColumns, getTableName, inArray, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import * as schema from '../../db/schema';
import { jsonWriter } from '../../db/schema/columns';
import { codesOf } from '../codes/codes';
import type { AccountParts } from '../parts';

/** Columns that are secrets, of use to nobody but this server, or the operator's own name. */
const OMITTED = [
  'passwordHash',
  'tokenHash',
  'hash',
  'secret',
  'lastStep',
  'fingerprint',
  'envelope',
  'auth',
  'publicKey',
  'operator',
];

/** Tables by the column that names the user. */
const OF_USER: readonly [table: PgTable, owner: PgColumn][] = [
  [schema.users, schema.users.id],
  [schema.credentials, schema.credentials.userId],
  [schema.sessions, schema.sessions.userId],
  [schema.secondFactors, schema.secondFactors.userId],
  [schema.recoveryCodes, schema.recoveryCodes.userId],
  [schema.passkeys, schema.passkeys.userId],
  [schema.knownDevices, schema.knownDevices.userId],
  [schema.verifications, schema.verifications.userId],
  [schema.pictures, schema.pictures.ownerId],
  [schema.payoutMethods, schema.payoutMethods.userId],
  [schema.deposits, schema.deposits.userId],
  [schema.withdrawals, schema.withdrawals.userId],
  [schema.orders, schema.orders.userId],
  [schema.alerts, schema.alerts.userId],
  [schema.notices, schema.notices.userId],
  [schema.pushSubscriptions, schema.pushSubscriptions.userId],
  [schema.marginWarnings, schema.marginWarnings.userId],
  [schema.settingsFields, schema.settingsFields.userId],
  [schema.settingsRevisions, schema.settingsRevisions.userId],
  [schema.settingsWrites, schema.settingsWrites.userId],
  [schema.subscriptions, schema.subscriptions.userId],
  [schema.answers, schema.answers.userId],
  [schema.commands, schema.commands.userId],
  [schema.ledgerAccounts, schema.ledgerAccounts.owner],
  [schema.postings, schema.postings.owner],
];

/** Everything that is stored of a user, by table (domain.md#personal-data). `origin`: of the addresses of pictures. */
export async function personalData(
  { db, pictures }: Pick<AccountParts, 'db' | 'pictures'>,
  userId: number,
  origin: string,
): Promise<Record<string, unknown>> {
  const { adminActions, codes, incomes, journalEntries, postings, subscriptions, users } = schema;
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new Error(`user ${userId} is gone`);
  const subscribed = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  const moved = db
    .select({ id: postings.entryId })
    .from(postings)
    .where(eq(postings.owner, userId));
  const parts: [table: PgTable, SQL | undefined][] = [
    ...OF_USER.map(([table, owner]): [PgTable, SQL] => [table, eq(owner, userId)]),
    [adminActions, eq(adminActions.uid, user.uid)],
    [codes, codesOf(user)],
    [incomes, inArray(incomes.subscriptionId, subscribed)],
    [journalEntries, inArray(journalEntries.id, moved)],
  ];
  const tables: Record<string, unknown[]> = {};
  for (const [table, condition] of parts) {
    const columns = Object.entries(getTableColumns(table)).filter(
      ([name]) => !OMITTED.includes(name),
    );
    const rows: Record<string, unknown>[] = await db
      .select(Object.fromEntries(columns))
      .from(table)
      .where(condition);
    for (const [key, column] of columns) {
      const write = jsonWriter(column);
      if (write) for (const row of rows) row[key] = write(row[key]);
    }
    tables[getTableName(table)] = rows;
  }
  const files = (tables[getTableName(schema.pictures)] ?? []) as { id: string }[];
  return {
    ...JSON.parse(JSON.stringify(tables)),
    picture_files: files.map(({ id }) => pictures.sign(id, origin)),
  };
}
