import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { ACCOUNT_TABLES } from '../../server/cluster/moves/accountRows';
import * as schema from '../../server/db/schema';

/** Tables without rows of users, and those that stay for other reasons. */
const STAYING = [
  // A strategy account is not moved.
  'traders',
  // Of the engine itself: what has moved.
  'moves',
  'moved_sessions',
  // Of the engine whose operator has acted.
  'desk_actions',
  // Of names, at the first engine.
  'directory',
  'leases',
  'market_seeds',
  'feeds',
  'feed_files',
  'bars',
  'halts',
  'news',
  'news_translations',
  'shipped_articles',
  'push_keys',
];

const tables = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[];
const { moved, ended } = ACCOUNT_TABLES;

it('a move knows what to do with every table', () => {
  expect([...moved, ...ended, ...STAYING].sort()).toEqual(tables.map(getTableName).sort());
});

it('what refers to something that moves, moves or ends', () => {
  for (const table of tables) {
    const { foreignKeys } = getTableConfig(table);
    const referred = foreignKeys.map((key) => getTableName(key.reference().foreignTable));
    const ofUsers =
      referred.some((name) => [...moved, ...ended].includes(name)) ||
      Object.keys(getTableColumns(table)).some((name) => /^(userId|ownerId|owner)$/.test(name));
    if (ofUsers) {
      expect([...moved, ...ended, 'traders', 'moves']).toContain(getTableName(table));
    }
  }
});

it('rows are written after those that they refer to', () => {
  for (const table of tables.filter((each) => moved.includes(getTableName(each)))) {
    for (const key of getTableConfig(table).foreignKeys) {
      const referred = getTableName(key.reference().foreignTable);
      expect(moved.indexOf(referred)).toBeLessThan(moved.indexOf(getTableName(table)));
    }
  }
});
