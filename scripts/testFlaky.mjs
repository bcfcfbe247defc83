// npm run test:flaky: see HELP. One test at a time, so that nothing runs beside those that measure speed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { ensureHeadless } from './lib/chromium.mjs';
import { createQuota } from './lib/cpuQuota.mjs';
import { bin, ensureInstalled, root } from './lib/install.mjs';
import { readOptions } from './lib/readOptions.mjs';
import { shiftedClock } from './lib/shiftedClock.mjs';
import { readBrowserResults } from './lib/testResults.mjs';

const HELP = `npm run test:flaky -- [OPTIONS] [-- PLAYWRIGHT ARGUMENTS]

Runs the browser tests several times under other conditions and lists every test that failed in one of the runs.

  --runs N          (1); --repeat-each=20 after the -- repeats each test in one run, which is faster
  --fonts NAME      the browser has only this family, such as dejavu or liberation
  --cores X         CPU quota of browser, server and test runner together (Linux with cgroups, root)
  --shift-days=N    their clock is so many days ahead (Linux with a C compiler)
  --help`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    fonts: { type: 'string' },
    cores: { type: 'string' },
    'shift-days': { type: 'string' },
  },
});

function fontsEnvironment(folder, family) {
  const fonts = join('/usr/share/fonts/truetype', family);
  if (!readdirSync(fonts).length) throw new Error(`no fonts in ${fonts}`);
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">' +
      `<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, 'fonts')}</cachedir></fontconfig>`,
  );
  return { FONTCONFIG_FILE: file };
}

function secondsOf(days) {
  if (!/^-?\d+$/.test(days)) throw new Error('--shift-days expects a whole number');
  return Number(days) * 86_400;
}

ensureInstalled();
buildWhenNeeded();
const chromium = ensureHeadless();
if (chromium === undefined) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'fulcrum-flaky-'));
const quota = values.cores ? createQuota(Number(values.cores)) : undefined;
const outcomes = new Map();
let failures = 0;
try {
  const env = {
    ...process.env,
    CHROME_PATH: chromium,
    ...(values.fonts && fontsEnvironment(folder, values.fonts)),
    ...(values['shift-days'] && shiftedClock(folder, secondsOf(values['shift-days']))),
  };
  for (let run = 1; run <= Number(values.runs); run++) {
    const report = join(folder, `${run}.json`);
    const output = join(root, 'tests/e2e/output', `run-${run}`);
    const command = [process.execPath, bin('@playwright/test/cli.js'), 'test', '--retries=0'];
    const options = [`--output=${output}`, '--reporter=list,json', '--workers=1'];
    const args = [...command, ...options, ...positionals];
    const entering = quota ? `${quota.join} && ` : '';
    spawnSync('sh', ['-c', `${entering}exec "$@"`, 'sh', ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    });
    const results = readBrowserResults(report);
    if (!results) throw new Error('the browser tests did not run');
    failures += results.failed;
    for (const name of results.failedNames) outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    console.log(`run ${run}: ${results.passed} passed, ${results.failed} failed`);
  }
} finally {
  quota?.remove();
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, count] of outcomes) console.log(`${name}: failed in ${count} of ${values.runs}`);
process.exit(failures > 0 ? 1 : 0);
