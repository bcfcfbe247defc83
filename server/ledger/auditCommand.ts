import type { DatabaseOptions } from '../db/database';
import { openDatabase } from '../db/open';
import { audit } from './audit';

/**
 * The command `audit`: checks the ledger and prints every difference. Returns the exit code, 1
 * where there is one. Throws NoDatabase, and DirectoryInUse while the server runs on the embedded database.
 */
export async function runAudit(
  options: DatabaseOptions,
  print: (line: string) => void,
): Promise<number> {
  const database = await openDatabase({ ...options, existing: true });
  try {
    const differences = await audit(database.db);
    for (const { check, where, expected, found } of differences) {
      print(`${where}: ${check}: expected ${expected}, found ${found}`);
    }
    const count = differences.length;
    print(count === 0 ? 'The books are right.' : `${count} differences.`);
    return count === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}
