// node scripts/upgradeFixtures.mjs: builds the release that tests/upgrade/former.ts names, uses it, and writes its data beside that file.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtCommit } from './lib/builtCommit.mjs';
import { ensureHeadless } from './lib/chromium.mjs';
import { bin, ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const chromium = ensureHeadless();
if (chromium === undefined) process.exit(1);
const source = readFileSync(join(root, 'tests/upgrade/former.ts'), 'utf8');
const [, commit = ''] = /FORMER = '(\w+)'/.exec(source) ?? [];
const args = ['test', '--project=upgrade-fixtures', '--retries=0', '--workers=1'];
const { status } = spawnSync(process.execPath, [bin('@playwright/test/cli.js'), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CHROME_PATH: chromium,
    FULCRUM_DIST: join(dirname(builtCommit(commit)), '..'),
  },
});
process.exit(status ?? 1);
