import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../../server/db/open';
import { runAudit } from '../../../server/ledger/auditCommand';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { databasesInTurn } from '../support/database';
import { dataDirectory } from '../support/dataDirectory';
import { firstMigrations } from '../support/formerMigrations';
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

unless(describe, missing('PostgreSQL'))('an audit', () => {
  inTurn(it)('migrates no database that a former release may be serving', async () => {
    const options = await places.PostgreSQL();
    const client = new Client({ connectionString: options.url });
    await client.connect();
    await migrate(drizzle(client), firstMigrations(20));
    await expect(runAudit(options, () => {})).rejects.toThrow(
      'This database has the tables of a former release, which may be serving it: audit it with that release, or start this one on it first.',
    );
    const { rows } = await client.query('select count(*) from drizzle.__drizzle_migrations');
    expect(rows).toEqual([{ count: '20' }]);
    await client.end();
    await (await openDatabase(options)).close();
    const lines: string[] = [];
    expect(await runAudit(options, (line) => void lines.push(line))).toBe(0);
    expect(lines).toEqual(['The books are right.']);
  });
});
