import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { expect, inject, it } from 'vitest';
import { installBookFunction } from '../../../server/db/bookFunction';
import type { Db } from '../../../server/db/database';
import { openDatabase } from '../../../server/db/open';
import { missing } from '../../helpers/installed';
import { notItsTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { onEachDatabase } from '../support/database';
import { firstMigrations } from '../support/formerMigrations';
import { createDatabase } from '../support/postgres';

/** Numbers of migrations: without the function, and with each of its former texts. */
const FORMER = [1, 2, 6, 7, 8, 12];

async function functionsOf(db: Db) {
  const { rows } = await db.execute<{ oid: number; text: string }>(
    sql`select oid, prosrc as text from pg_proc where proname = 'book'`,
  );
  return rows;
}

onEachDatabase((database) => {
  it('is replaced where a release has another text of it, and stays otherwise', async () => {
    const { db } = database;
    const before = await functionsOf(db);
    await installBookFunction(db);
    expect(await functionsOf(db)).toEqual(before);
    await db.execute(sql`drop function "book"`);
    await db.execute(
      sql`create function "book"(rows jsonb) returns text language sql as $$ select '' $$`,
    );
    await installBookFunction(db);
    expect((await functionsOf(db)).map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  });
});

unless(it, missing('PostgreSQL') ?? notItsTurn('former texts of book'))(
  'is the same in a database of any former release',
  async () => {
    const { url, empty } = inject('postgres');
    const opened = await openDatabase({ url: await createDatabase(url, empty), directory: '' });
    const expected = (await functionsOf(opened.db)).map(({ text }) => text);
    await opened.close();
    for (const count of FORMER) {
      const former = await createDatabase(url);
      const client = new Client({ connectionString: former });
      await client.connect();
      await migrate(drizzle(client), firstMigrations(count));
      await client.end();
      const { db, close } = await openDatabase({ url: former, directory: '' });
      const found = (await functionsOf(db)).map(({ text }) => text);
      expect([count, found]).toEqual([count, expected]);
      await close();
    }
  },
);
