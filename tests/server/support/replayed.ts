import { expect } from 'vitest';
import { type Replayed, replay } from '../../../server/commands/replay';
import type { Database } from '../../../server/db/database';
import { emptyDatabase } from './database';
import { emptyTables } from './tables';

let empty: Promise<Database> | undefined;

/** Plays what a database has recorded into another one, which the tests of a file share. */
export async function replayed(
  recorded: Pick<Database, 'db' | 'concurrent'>,
  stopping = new AbortController().signal,
): Promise<Replayed> {
  empty ??= emptyDatabase();
  const { db } = await empty;
  await emptyTables(db);
  return replay(recorded, db, stopping);
}

/** Fails where what a database has recorded does not lead to its books. Returns how many commands were played. */
export async function expectReplayed(
  recorded: Pick<Database, 'db' | 'concurrent'>,
): Promise<number> {
  const { difference, commands } = await replayed(recorded);
  expect(difference).toBeUndefined();
  expect(commands).toBeGreaterThan(0);
  return commands;
}
