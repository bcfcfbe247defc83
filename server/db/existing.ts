import { statSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableDirectory } from '../config/dataDirectory';
import { DATABASE } from './database';

/** The data directory has no database; nothing was created. */
export class NoDatabase extends Error {}

/** For commands that look at a database: only the server makes one. Throws NoDatabase and UnusableDirectory. */
export function requireDatabase(directory: string): void {
  try {
    statSync(join(directory, DATABASE));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new UnusableDirectory(directory, error);
    throw new NoDatabase(`There is no database in ${directory}. Name its directory with --data.`);
  }
}
