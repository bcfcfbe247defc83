import { gt, type SQL, sql } from 'drizzle-orm';
import type { Db, Tx } from '../db/database';
import { commands } from '../db/schema';
import { type Details, decodeDetails, type RecordedTerms } from './details';

export type RecordedCommand = typeof commands.$inferSelect;

/** A row of the books as text that is the same in each database, and what it is ordered by. */
export interface BookRow extends Record<string, unknown> {
  key: string;
  row: string;
}

/** Where books begin that are compared: orders up to this id count only where they are given or open. */
export interface BookStart {
  order: number;
  entry: number;
  given: readonly number[];
}

/** Rows in order. */
type Pages<T> = AsyncGenerator<readonly T[], void, undefined>;

const AT_ONCE = 2000;

/** What is to be known before commands are played; by it PostgreSQL takes the index. */
const CONTEXT = sql`kind in ('base', 'start', 'terms')`;
export const IS_BASE = sql`${CONTEXT} and kind = 'base'`;

/**
 * The parts of the books that are compared, as queries with the condition `after` on a row's key. The operator's words are not recorded: memo and
 * reason are left out.
 */
function partsOf({ order, entry, given }: BookStart) {
  const ids = sql`${`{${given.join(',')}}`}::integer[]`;
  return {
    order: (after: string) => sql`
      select id::text as key, to_jsonb(o)::text as row from orders o
      where id > ${after}::bigint and (id > ${order} or status <> 'closed' or id = any(${ids}))
      order by id limit ${AT_ONCE}`,
    entry: (after: string) => sql`
      select id::text as key, (to_jsonb(e) - 'memo' || jsonb_build_object('params', params - 'reason'))::text as row
      from journal_entries e where id > greatest(${after}::bigint, ${entry})
      order by id limit ${AT_ONCE}`,
    'postings of entry': (after: string) => sql`
      select entry_id::text as key,
        string_agg(concat_ws(' ', owner, kind, amount), ', ' order by owner, kind, amount) as row
      from postings where entry_id > greatest(${after}::bigint, ${entry})
      group by entry_id order by entry_id limit ${AT_ONCE}`,
    'balances of user': (after: string) => sql`
      select owner::text as key, string_agg(concat_ws(' ', kind, balance), ', ' order by kind) as row
      from ledger_accounts where owner > ${after}::bigint
      group by owner order by owner limit ${AT_ONCE}`,
  } satisfies Record<string, (after: string) => SQL>;
}

export type BookPart = keyof ReturnType<typeof partsOf>;
export const BOOK_PARTS: readonly BookPart[] = [
  'order',
  'entry',
  'postings of entry',
  'balances of user',
];

/** Reads a part of the books of a database page by page. */
export async function* bookPages(db: Db, part: BookPart, start: BookStart): Pages<BookRow> {
  const query = partsOf(start)[part];
  for (let after = '-1'; ; ) {
    const { rows } = await db.execute<BookRow>(query(after));
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.key;
  }
}

/** What a server has recorded, and its books, of one moment. */
export interface Recording {
  /** Undefined where there is no base to begin with. */
  start: BookStart | undefined;
  /** By id. */
  commands(): Pages<RecordedCommand>;
  /** The instruments of the process that begins with a command. */
  termsAfter(id: number): Promise<RecordedTerms[]>;
  books(part: BookPart, start: BookStart): Pages<BookRow>;
}

/** Reads in a transaction, which has to be of one snapshot. */
export async function openRecording(tx: Tx): Promise<Recording> {
  // Texts of times depend on it.
  await tx.execute(sql`set local time zone 'UTC'`);
  return {
    start: await startOf(tx),
    async *commands() {
      for (let after = 0; ; ) {
        const rows = await tx
          .select()
          .from(commands)
          .where(gt(commands.id, after))
          .orderBy(commands.id)
          .limit(AT_ONCE);
        if (rows.length > 0) yield rows;
        const last = rows.at(-1);
        if (!last || rows.length < AT_ONCE) return;
        after = last.id;
      }
    },
    async termsAfter(id) {
      const { rows } = await tx.execute<{ details: string }>(sql`
        select details from commands
        where ${CONTEXT} and kind = 'terms' and id > ${id} and id < coalesce(
          (select min(id) from commands where ${CONTEXT} and kind = 'start' and id > ${id}),
          ${Number.MAX_SAFE_INTEGER})
        order by id`);
      const terms = rows.map(({ details }) => decodeDetails<Details['terms']>(details));
      return [...new Map(terms.map((each) => [each.id, each])).values()];
    },
    books: (part, start) => bookPages(tx, part, start),
  };
}

/** The same in memory, for an embedded database, which would serve nobody else while it is read. */
export async function copyOf(recording: Recording): Promise<Recording> {
  const { start } = recording;
  const given = await collect(recording.commands());
  const books = new Map<BookPart, (readonly BookRow[])[]>();
  const terms = new Map<number, RecordedTerms[]>();
  for (const { id, kind } of given.flat()) {
    if (kind === 'base' || kind === 'start') terms.set(id, await recording.termsAfter(id));
  }
  for (const part of BOOK_PARTS)
    if (start) books.set(part, await collect(recording.books(part, start)));
  return {
    start,
    commands: () => pagesOf(given),
    termsAfter: async (id) => terms.get(id) ?? [],
    books: (part) => pagesOf(books.get(part) ?? []),
  };
}

async function collect<T>(pages: Pages<T>): Promise<(readonly T[])[]> {
  const all: (readonly T[])[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

async function* pagesOf<T>(pages: readonly (readonly T[])[]): Pages<T> {
  yield* pages;
}

/** Orders before the base are known as far as it, or a later command, names them. */
async function startOf(tx: Tx): Promise<BookStart | undefined> {
  const { rows } = await tx.execute<{ details: string; id: string }>(sql`
    select id::text, details from commands where ${IS_BASE} order by id limit 1`);
  const [first] = rows;
  if (!first) return undefined;
  const base = decodeDetails<Details['base']>(first.details);
  const given = new Set(base.orders.map(({ id }) => id));
  const busts = await tx.execute<{ details: string }>(sql`
    select details from commands
    where id > ${Number(first.id)} and kind = 'order' and details like '{"cause":{"kind":"bust"%'`);
  for (const { details } of busts.rows) {
    const { cause } = decodeDetails<Details['order']>(details);
    if (cause.kind === 'bust') for (const { id } of cause.fills) given.add(id);
  }
  return { order: base.lastOrderId, entry: base.lastEntryId, given: [...given] };
}
