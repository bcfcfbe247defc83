import { chmodSync, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncToDisk, syncTree } from './syncedFiles';

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
