import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { migrations } from '../../../server/db/database';
import { dataDirectory } from './dataDirectory';

/** The migrations as they were when there were only the first ones. */
export function firstMigrations(count: number): { migrationsFolder: string } {
  const folder = join(dataDirectory(), 'migrations');
  cpSync(migrations.migrationsFolder, folder, { recursive: true });
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  expect(journal.entries.length).toBeGreaterThan(count);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return { migrationsFolder: folder };
}
