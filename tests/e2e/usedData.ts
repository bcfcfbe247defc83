import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_NODE_OPTIONS } from '../samples';
import setUpTemporaryFolder from '../temporary';
import { serverProgram } from './product';
import { writeRisingMarket } from './risingMarket';

/** Prepares what every `Product` needs: a data directory to copy, because creating one takes seconds, and a recording. */
export default function prepare(): () => void {
  const removeAll = setUpTemporaryFolder();
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-used-'));
  execFileSync(process.execPath, [
    ...SERVER_NODE_OPTIONS,
    ...[serverProgram, 'audit', '--data', directory],
  ]);
  process.env['FULCRUM_USED_DATA'] = directory;
  const recording = join(directory, '..', 'rising.csv');
  writeRisingMarket(recording);
  process.env['FULCRUM_RISING_MARKET'] = recording;
  return removeAll;
}
