import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_NODE_OPTIONS } from '../samples';
import setUpTemporaryFolder from '../temporary';
import { serverProgram } from './product';

/** Prepares a data directory that every `Product` copies, because creating one takes seconds. */
export default function prepare(): () => void {
  const removeAll = setUpTemporaryFolder();
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-used-'));
  execFileSync(process.execPath, [
    ...SERVER_NODE_OPTIONS,
    ...[serverProgram, 'audit', '--data', directory],
  ]);
  process.env['FULCRUM_USED_DATA'] = directory;
  return removeAll;
}
