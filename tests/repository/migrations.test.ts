import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './tree';

// What `npm run db:generate` compares the schema with.
it('the newest migration is the only one with a snapshot', () => {
  const folder = join(root, 'server/db/migrations/meta');
  const { entries } = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8')) as {
    entries: { idx: number }[];
  };
  const newest = String(entries.at(-1)?.idx).padStart(4, '0');
  expect(readdirSync(folder).sort()).toEqual([`${newest}_snapshot.json`, '_journal.json']);
});
