// npm run db:generate -- --name NAME: adds a migration for the changes of server/db/schema/.
// drizzle-kit compares the schema with the newest snapshot only, so the older ones are removed.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const { status } = spawnSync(
  process.execPath,
  [bin('drizzle-kit/bin.cjs'), 'generate', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
if (status === 0) {
  const folder = join(root, 'server/db/migrations/meta');
  const snapshots = readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'));
  for (const older of snapshots.sort().slice(0, -1)) rmSync(join(folder, older));
}
process.exit(status ?? 1);
