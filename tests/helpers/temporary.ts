import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps the files of this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** A run needs a few GB at most. */
const LEAST_FREE = 8 * 1024 ** 3;

/** Databases sync each commit: on a disk, tests mostly wait for that. The large counts are about disks, too. */
function outerFolder(): string {
  if (process.env.SOAK) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= LEAST_FREE) return IN_MEMORY;
  } catch {
    // Not on this system.
  }
  return tmpdir();
}

/** All temporary files of a test run are in one folder, which is removed with the run however its processes end. */
export default function setup(): () => void {
  const before = process.env.TMPDIR;
  const directory = mkdtempSync(join(outerFolder(), 'fulcrum-tests-'));
  // PostgreSQL runs as a user of its own, below this folder.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  };
}
