import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../server/db/open';
import { onEachDatabase } from '../support/database';

onEachDatabase((database) => {
  it('is migrated once', async () => {
    const applied = () =>
      database.db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations`);
    const { rows } = await applied();
    expect(rows.length).toBeGreaterThan(0);
    if (!database.url) return;
    const again = await openDatabase({ url: database.url, directory: '' });
    await again.close();
    expect((await applied()).rows).toEqual(rows);
  });

  it('finds the rows of a reference by an index', async () => {
    const { rows } = await database.db.execute(sql`
      select c.conrelid::regclass::text as table, c.conname as reference
      from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
        select from pg_index i
        where i.indrelid = c.conrelid and i.indpred is null
          and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey)`);
    expect(rows).toEqual([]);
  });

  it('rolls back a transaction that throws', async () => {
    await database.db.execute(sql`create table note (body text)`);
    const failing = database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into note values ('lost')`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await database.db.execute(sql`select * from note`)).rows).toEqual([]);
  });
});
