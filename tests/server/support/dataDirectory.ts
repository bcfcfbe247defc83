import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a data directory, which is removed when the process ends. */
export function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-data-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
