import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import setUpTemporaryFolder from '../../helpers/temporary';
import { serverProgram } from './product';
import { writeRisingMarket } from './risingMarket';

/** Prepares what every `Product` needs: a data directory to copy, because creating one takes seconds, and a recording. */
export default function prepare(): () => void {
  const removeAll = setUpTemporaryFolder();
  const directory = mkdtempSync(join(tmpdir(), 'fulcrum-used-'));
  const empty = join(dirname(serverProgram), 'emptyPglite');
  cpSync(empty, join(directory, 'pglite'), { recursive: true });
  process.env['FULCRUM_USED_DATA'] = directory;
  const recording = join(directory, '..', 'rising.csv');
  writeRisingMarket(recording);
  process.env['FULCRUM_RISING_MARKET'] = recording;
  return removeAll;
}
