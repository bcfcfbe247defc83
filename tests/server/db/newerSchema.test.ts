import { sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../../server/db/open';
import { databasesInTurn } from '../support/database';
import { dataDirectory } from '../support/dataDirectory';
import { createDatabase } from '../support/postgres';

const places = {
  PGlite: async () => ({ directory: dataDirectory() }),
  PostgreSQL: async () => ({ url: await createDatabase(inject('postgres').url), directory: '' }),
};

describe.each(databasesInTurn())('on %s', (name) => {
  it('a database that a newer release has changed is refused, until its backup is restored', async () => {
    const options = await places[name]();
    const present = await openDatabase(options);
    await present.db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at)
      select 'newer', max(created_at) + 1 from drizzle.__drizzle_migrations`);
    await present.close();
    await expect(openDatabase(options)).rejects.toThrow(
      'A newer release has changed this database: start that release, or restore a backup that was made before it.',
    );
  });
});
