import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverProgram } from './product';

/** Makes a data directory that every `Product` begins with a copy of: a new one takes seconds to make. */
export default function prepare(): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-used-'));
  execFileSync(process.execPath, [serverProgram, 'audit', '--data', directory]);
  process.env['FULCRUM_USED_DATA'] = directory;
  return () => rmSync(directory, { recursive: true, force: true });
}
