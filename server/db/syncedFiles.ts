import { closeSync, fdatasyncSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Syncs a file or directory to the disk; `file` where it is open. */
export type Sync = (path: string, file?: number) => void;

/** A file or directory that PostgreSQL has open, in Emscripten's file system on a real directory. */
interface OpenFile {
  /** Undefined for a directory. */
  nfd?: number;
  node: unknown;
}

interface NodeFiles {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (file: OpenFile) => number };
}

/** Emscripten's number of an input/output error. */
const EIO = 29;

/**
 * PGlite's files, synced when PostgreSQL asks for it (acknowledged orders would be lost with the power): its log with each commit, its tables with a
 * checkpoint. PGlite by itself leaves that out.
 */
export class SyncedFiles extends NodeFS {
  private readonly sync: Sync;

  constructor(directory: string, sync: Sync = syncToDisk) {
    super(directory);
    this.sync = sync;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const addSync = ({ NODEFS }: { NODEFS: NodeFiles }) => {
      NODEFS.stream_ops.fsync = ({ nfd, node }) => {
        try {
          this.sync(NODEFS.realPath(node), nfd);
          return 0;
        } catch {
          return EIO;
        }
      };
    };
    const preRun = [emscriptenOpts.preRun ?? [], addSync as never].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

/**
 * The parameters of a PGlite that asks for syncs: its own without -F, which turns them off, and with the
 * one way of syncing the log that Emscripten passes on.
 */
export const SYNCED = [
  ...PGlite.defaultStartParams.filter((each) => each !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
];

/** What `SyncedFiles` does without another one. */
export function syncToDisk(path: string, file?: number): void {
  if (file !== undefined) fdatasyncSync(file);
  else {
    const opened = openSync(path, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  }
}

/** Syncs that run at the same time: the disk writes them together. */
const AT_ONCE = 32;

/** Syncs a directory and everything in it: PGlite writes the files of a new database without syncs. */
export async function syncTree(
  directory: string,
  sync: (path: string) => void | Promise<void> = syncAside,
): Promise<void> {
  const inside = readdirSync(directory, { recursive: true }) as string[];
  const paths = [directory, ...inside.map((name) => join(directory, name))].values();
  const syncRest = async () => {
    for (const path of paths) await sync(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, syncRest));
}

async function syncAside(path: string): Promise<void> {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
