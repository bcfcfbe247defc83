import { sql } from 'drizzle-orm';
import type { Db } from './database';

/** An id of 31 bits, of which each engine has 2^26; ids of 53 bits, of which it has 2^42 (D128). */
const SIZE = { integer: 2 ** 26, bigint: 2 ** 42 } as const;

interface Sequence extends Record<string, unknown> {
  name: string;
  type: keyof typeof SIZE;
  least: string;
  used: boolean;
}

/**
 * Gives the ids of this database a range of their own, so that no two engines give the same one. Throws an error for the
 * operator where the database already has ids of another engine.
 */
export async function takeIdRange(db: Db, shard: number): Promise<void> {
  const { rows } = await db.execute<Sequence>(sql`
    select sequencename as name, data_type::text as type, min_value::text as least, last_value is not null as used
    from pg_sequences where schemaname = 'public'`);
  for (const { name, type, least, used } of rows) {
    const size = SIZE[type];
    const first = Math.max(1, (shard - 1) * size);
    if (Number(least) !== first && (used || Number(least) !== 1)) {
      const owner = Math.floor(Number(least) / size) + 1;
      throw new Error(
        `This database has the accounts of engine ${owner}. Start it with another --shard.`,
      );
    }
    const last = shard * size - 1;
    const range = `minvalue ${first} maxvalue ${last} start ${first}${used ? '' : ` restart ${first}`}`;
    await db.execute(sql.raw(`alter sequence "${name}" ${range}`));
  }
}

type Numbered = 'orders' | 'journal_entries';

/**
 * The highest id that this database has given a row of the table; one less than the first one where there is none. Rows of
 * accounts that have come from other engines have ids of theirs.
 */
export async function lastIdOf(db: Db, table: Numbered): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select greatest(
      (select max(id) from ${sql.identifier(table)} where id between min_value and max_value), last_value, min_value - 1
    )::text as id
    from pg_sequences where schemaname = 'public' and sequencename = ${sequenceOf(table)}`);
  return Number(rows[0]?.id ?? 0);
}

/** Keeps in mind which ids were given: those of rows that are about to be deleted are at another engine then. */
export async function keepLastIds(db: Db): Promise<void> {
  for (const table of ['orders', 'journal_entries'] as const) {
    const last = await lastIdOf(db, table);
    await db.execute(sql`
      select setval(${sequenceOf(table)}, ${last}) from pg_sequences
      where schemaname = 'public' and sequencename = ${sequenceOf(table)} and min_value <= ${last}`);
  }
}

function sequenceOf(table: Numbered): string {
  return `${table}_id_seq`;
}
