import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { copyDatabase } from '../../server/db/pglite';
import { inTurn } from '../helpers/samples';
import { root } from './tree';

inTurn(it)(
  'the database that a new data directory begins with has every migration, and no rows (npm run build)',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'fulcrum-copy-'));
    const copy = join(directory, 'pglite');
    await copyDatabase(join(root, 'dist/server/emptyPglite'), copy);
    // It was closed: a database that was not is repaired at each start.
    expect(existsSync(join(copy, 'postmaster.pid'))).toBe(false);
    const database = await PGlite.create(copy);
    const journal = JSON.parse(
      readFileSync(join(root, 'server/db/migrations/meta/_journal.json'), 'utf8'),
    ) as { entries: unknown[] };
    const { rows } = await database.query<{ count: number }>(
      'select count(*)::int as count from drizzle.__drizzle_migrations',
    );
    expect(rows[0]?.count).toBe(journal.entries.length);
    const tables = await database.query<{ name: string }>(
      `select relname as name from pg_stat_user_tables where schemaname = 'public'`,
    );
    expect(tables.rows.length).toBeGreaterThan(20);
    for (const { name } of tables.rows) {
      expect((await database.query(`select 1 from "${name}" limit 1`)).rows).toEqual([]);
    }
    await database.close();
    rmSync(directory, { recursive: true });
  },
  60_000,
);
