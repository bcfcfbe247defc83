import { statSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableDirectory } from '../config/dataDirectory';
import { DATABASE, NoDatabase } from './database';

/** Throws NoDatabase where a data directory has none, and UnusableDirectory. */
export function requireDatabase(directory: string): void {
  try {
    statSync(join(directory, DATABASE));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new UnusableDirectory(directory, error);
    throw new NoDatabase(`There is no database in ${directory}. Name its directory with --data.`);
  }
}
