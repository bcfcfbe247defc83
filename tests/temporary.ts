import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All temporary files of a test run are in one folder, which is removed with the run however its processes end. */
export default function setup(): () => void {
  const outer = tmpdir();
  const directory = mkdtempSync(join(outer, 'fulcrum-tests-'));
  // PostgreSQL runs as a user of its own, below this folder.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  return () => {
    process.env.TMPDIR = outer;
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  };
}
