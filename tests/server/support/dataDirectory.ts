import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A data directory of the test's own, gone when its process ends. */
export function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-data-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
