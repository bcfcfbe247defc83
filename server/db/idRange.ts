import { sql } from 'drizzle-orm';
import type { Db } from './database';

/** An id of 31 bits, of which each engine has 2^26; ids of 53 bits, of which it has 2^42 (D131). */
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

/** More of them are not named. */
const MOST_NAMED = 10;

/**
 * Throws an error for the operator where a former release has moved accounts to this engine, or is about to move one away:
 * an account lives where its id says (D131). Call it before the migrations.
 */
export async function refuseMovedAccounts(db: Db): Promise<void> {
  const { rows: former } = await db.execute(
    sql`select from pg_tables where schemaname = 'public' and tablename = 'moves'`,
  );
  if (former.length === 0) return;
  // The former release moves no closed account, and nobody uses one.
  const { rows } = await db.execute<{ uid: string; home: number }>(sql`
    select u.uid, u.id / ${SIZE.integer}::integer + 1 as home
    from users u, pg_sequences s
    where s.schemaname = 'public' and s.sequencename = 'users_id_seq' and u.closed_at is null
      and (u.id not between s.min_value and s.max_value
        or u.id in (select m.user_id from moves m where m.state = 'leaving'))
    order by u.id`);
  if (rows.length === 0) return;
  const named = rows.slice(0, MOST_NAMED).map(({ uid, home }) => `${uid} to ${home}`);
  if (rows.length > MOST_NAMED) named.push(`${rows.length - MOST_NAMED} more`);
  throw new Error(
    `This database has accounts that were moved between engines: start the former release again, bring each one home by npm run admin -- --data DIR move USER ENGINE (${named.join(', ')}), then start this release.`,
  );
}

type Numbered = 'orders' | 'journal_entries';

/**
 * The highest id that this database has given a row of the table; one less than the first one where there is none. A former
 * release has moved accounts, whose rows have ids of other engines.
 */
export async function lastIdOf(db: Db, table: Numbered): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select greatest(
      (select max(id) from ${sql.identifier(table)} where id between min_value and max_value), last_value, min_value - 1
    )::text as id
    from pg_sequences where schemaname = 'public' and sequencename = ${sequenceOf(table)}`);
  return Number(rows[0]?.id ?? 0);
}

function sequenceOf(table: Numbered): string {
  return `${table}_id_seq`;
}
