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
