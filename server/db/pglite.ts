import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { SYNCED, type Sync, SyncedFiles, syncToDisk, syncTree } from './syncedFiles';

/**
 * A migrated, empty database of PGlite, made by the build: making one takes four seconds of
 * CPU and 500 MB that the process keeps. Absent beside the sources: there PGlite makes its own.
 */
const emptyPglite = join(dirname(fileURLToPath(import.meta.url)), 'emptyPglite');
/**
 * The pages of its own cache: PGlite runs in the memory of this process, and the system caches the
 * files besides. Its default is 128 MB.
 */
const CACHE = ['-c', 'shared_buffers=16MB'];

export interface PgliteOptions {
  /** What a new database begins with, as `PGlite.dumpDataDir` gave it; the empty one where absent. */
  contents?: Blob;
  sync?: Sync;
}

/** Opens the embedded database in a directory, or `memory://`; makes one where there is none. */
export async function createPglite<Client extends PGlite = PGlite>(
  path: string,
  make: (options: PGliteOptions) => Client,
  { contents, sync }: PgliteOptions = {},
): Promise<Client> {
  const kept = !path.startsWith('memory://');
  if (kept && !contents && !isDatabase(path) && isDatabase(emptyPglite)) {
    await copyDatabase(emptyPglite, path);
  }
  const isNew = !isDatabase(path);
  const client = make({
    ...(kept
      ? { fs: new SyncedFiles(path, sync), startParams: [...SYNCED, ...CACHE] }
      : { dataDir: path, startParams: [...PGlite.defaultStartParams, ...CACHE] }),
    ...(isNew && contents && { loadDataDir: contents }),
  });
  await client.waitReady;
  if (kept && isNew) await syncTree(path, sync);
  return client;
}

/** As `createPglite`, without more. */
export function openPglite(path: string, options?: PgliteOptions): Promise<PGlite> {
  return createPglite(path, (made) => new PGlite(made), options);
}

function isDatabase(path: string): boolean {
  return existsSync(join(path, 'PG_VERSION'));
}

/** Copies the directory of a PGlite that is closed, for this user alone. Where it is interrupted, there is no copy. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const draft = `${to}.new`;
  rmSync(draft, { recursive: true, force: true });
  copyTree(from, draft);
  await syncTree(draft);
  renameSync(draft, to);
  syncToDisk(dirname(to));
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, copy);
    else {
      copyFileSync(source, copy);
      chmodSync(copy, 0o600);
    }
  }
}
