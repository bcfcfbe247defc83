import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

const created: string[] = [];
process.once('exit', () => {
  for (const directory of created) rmSync(directory, { recursive: true, force: true });
});

/** Creates a data directory, which is removed when the process ends. */
export function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-data-'));
  created.push(directory);
  return directory;
}

/** As `dataDirectory`, with a migrated, empty database in it: creating one takes seconds. */
export function databaseDirectory(): string {
  const directory = dataDirectory();
  cpSync(inject('emptyDirectory'), directory, { recursive: true });
  return directory;
}
