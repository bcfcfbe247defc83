import { and, count, desc, eq, sql } from 'drizzle-orm';
import { PAGE_SIZE } from '#domain/api/envelope';
import type { RecordPageRow } from '#domain/api/wallet';
import { toDecimal, toFixed } from '#domain/core/decimal';
import { type Language, localeOf } from '#domain/core/language';
import { writtenParams } from '#domain/core/messageText';
import { translate } from '../core/translate';
import type { Db } from '../db/database';
import { journalEntries, postings } from '../db/schema';
import { ENTRY_TYPES, type Entry, type EntryKind } from './entries';
import { LEDGER_SCALE } from './ledger';

/** Movements of the user's balance, newest first (protocol.md#financial-record). */
export async function financialRecords(
  db: Db,
  userId: number,
  { page, limit = PAGE_SIZE }: { page: number; limit?: number },
  language: Language,
): Promise<RecordPageRow> {
  const own = and(eq(postings.owner, userId), eq(postings.kind, 'available'));
  const records = db
    .select({
      id: postings.id,
      amount: postings.amount,
      kind: journalEntries.kind,
      params: journalEntries.params,
      memo: journalEntries.memo,
      createdAt: journalEntries.createdAt,
    })
    .from(postings)
    .innerJoin(journalEntries, eq(journalEntries.id, postings.entryId))
    .where(own)
    .orderBy(desc(journalEntries.createdAt), desc(postings.id))
    .limit(limit)
    .offset((page - 1) * limit)
    .as('records');
  const all = db
    .select({ total: count().as('total') })
    .from(postings)
    .where(own)
    .as('all');
  // The only amount; a reason or a name of digits is none.
  const shown = ({ penalty, ...params }: Entry['params']) =>
    penalty === undefined
      ? params
      : { ...params, ...writtenParams({ penalty }, localeOf(language)) };
  // One statement: more may be booked between two.
  const rows = await db
    .select()
    .from(all)
    .leftJoin(records, sql`true`)
    .orderBy(desc(records.createdAt), desc(records.id));
  return {
    list: rows
      .flatMap(({ records: row }) => row ?? [])
      .map((row) => ({
        Id: row.id,
        Value: toFixed(toDecimal(row.amount), LEDGER_SCALE),
        Type: ENTRY_TYPES[row.kind as EntryKind],
        Memo: row.memo,
        MemoTran: translate(language, `server.record.${row.kind as EntryKind}`, shown(row.params)),
        CreatedAtTran: row.createdAt.toISOString(),
      })),
    total: rows[0]?.all.total ?? 0,
  };
}
