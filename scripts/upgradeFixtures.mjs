// node scripts/upgradeFixtures.mjs: builds the release that tests/upgrade/former.ts names, uses it, and writes its data beside that file.
import { spawnSync } from 'node:child_process';
import { formerDist } from './lib/builtCommit.mjs';
import { ensureHeadless } from './lib/chromium.mjs';
import { bin, ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const chromium = ensureHeadless();
if (chromium === undefined) process.exit(1);
const args = ['test', '--project=upgrade-fixtures', '--retries=0', '--workers=1'];
const { status } = spawnSync(process.execPath, [bin('@playwright/test/cli.js'), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CHROME_PATH: chromium,
    FULCRUM_DIST: formerDist(),
  },
});
process.exit(status ?? 1);
