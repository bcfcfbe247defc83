import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getSystemErrorMap, promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { prepareDataDirectory } from '../config/dataDirectory';
import { DATABASE, type Db, migrations, requireDatabase } from './database';
import { lockDirectory } from './lock';
import { migrateDatabase } from './migrate';
import { openPglite } from './pglite';
import { syncTree } from './syncedFiles';

/** A backup can't be written or read. The message says why. */
export class BackupFailed extends Error {}

/**
 * Writes the embedded database of a data directory to a new file. Throws BackupFailed, NoDatabase, and
 * DirectoryInUse while the server runs.
 */
export async function backUp(directory: string, file: string): Promise<void> {
  requireDatabase(directory);
  const unlock = await lockedDirectory(directory);
  try {
    const client = await openPglite(join(directory, DATABASE));
    try {
      const contents = Buffer.from(await (await client.dumpDataDir('gzip')).arrayBuffer());
      await writeNew(file, contents);
    } finally {
      await client.close();
    }
  } catch (error) {
    throw explained(error, `The backup ${file} can't be written`);
  } finally {
    unlock();
  }
}

/** Leaves no part of a file that does not fit on the disk. */
async function writeNew(file: string, contents: Buffer): Promise<void> {
  const opened = await open(file, 'wx', 0o600);
  try {
    await opened.writeFile(contents);
    await opened.sync();
  } catch (error) {
    await rm(file).catch(() => {});
    throw error;
  } finally {
    await opened.close();
  }
}

/**
 * Replaces the embedded database of a data directory by a backup, migrated to the current schema. The
 * former one stays beside it; its name is returned, undefined where there was none. Throws
 * BackupFailed, with everything as it was, and DirectoryInUse while the server runs.
 */
export async function restore(directory: string, file: string): Promise<string | undefined> {
  // A file that can't be read makes no directory.
  const backup = await readBackup(file);
  const isNew = !existsSync(directory);
  const unlock = await lockedDirectory(directory);
  const draft = join(directory, `${DATABASE}.restored`);
  try {
    await rm(draft, { recursive: true, force: true });
    // PGlite would decompress it too, but ends the process where a part is missing.
    const contents = new Blob([await promisify(gunzip)(backup)]);
    const client = await openPglite(draft, { contents });
    try {
      const db = drizzle(client);
      await migrateDatabase(db as unknown as Db, () => migrate(db, migrations));
    } finally {
      await client.close();
    }
    await syncTree(draft);
    return await replace(directory, draft);
  } catch (error) {
    await rm(isNew ? directory : draft, { recursive: true, force: true }).catch(() => {});
    throw unrestored(file, error);
  } finally {
    unlock();
  }
}

async function readBackup(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unrestored(file, error);
  }
}

async function replace(directory: string, draft: string): Promise<string | undefined> {
  const path = join(directory, DATABASE);
  const former = existsSync(path) ? `${path}.${Date.now()}` : undefined;
  if (former) await rename(path, former);
  await rename(draft, path);
  return former;
}

async function lockedDirectory(directory: string): Promise<() => void> {
  await prepareDataDirectory(directory);
  return lockDirectory(directory);
}

const unrestored = (file: string, error: unknown) =>
  explained(error, `The backup ${file} can't be restored`);

function explained(error: unknown, what: string): Error {
  if (error instanceof BackupFailed) return error;
  const { errno, syscall, message } = error as NodeJS.ErrnoException;
  // Errors of zlib have numbers of their own.
  const [, reason] = (syscall && getSystemErrorMap().get(errno ?? 0)) || [];
  return new BackupFailed(`${what}: ${(reason ?? message).replace(/\.$/, '')}.`, { cause: error });
}
