// npm test: installs what is needed, then checks, unit, worker, server and browser tests.
// Names at its end the tests that failed and the browser tests that passed only on a retry, which CI counts as failed.
// Ends with the line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { check } from './check.mjs';
import { readBrowserResults } from './lib/browserResults.mjs';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { ensureChromium, ensureHeadless } from './lib/chromium.mjs';
import { bin, ensureInstalled, root } from './lib/install.mjs';

const output = mkdtempSync(join(tmpdir(), 'fulcrum-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const notPassed = [];

function step(name, counts) {
  console.log(
    `${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  );
  for (const key of Object.keys(total)) total[key] += counts[key];
}

function run(args, env = {}) {
  const result = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return result.status ?? 1;
}

function report(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

ensureInstalled();
const checked = await check();
if (!checked) notPassed.push('failed: check');
step('check', { passed: checked ? 1 : 0, failed: checked ? 0 : 1, skipped: 0 });

// Some unit tests read the built bundle (sizes) or run it (kill -9).
buildWhenNeeded();

{
  const file = join(output, 'vitest.json');
  const status = run(
    [
      bin('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { FULCRUM_DIST: 'dist' },
  );
  const result = report(file);
  const failed = result?.numFailedTests ?? 1;
  if (status !== 0 && failed === 0) notPassed.push('failed: vitest, an error outside of its tests');
  for (const { name, status, assertionResults } of result?.testResults ?? []) {
    const failures = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName } of failures)
      notPassed.push(`failed: ${relative(root, name)} › ${fullName}`);
    if (status === 'failed' && failures.length === 0)
      notPassed.push(`failed: ${relative(root, name)}`);
  }
  step('vitest', {
    passed: result?.numPassedTests ?? 0,
    // A file that could not be loaded fails no test, only the run.
    failed: status !== 0 ? Math.max(1, failed) : failed,
    skipped: (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0),
  });
}

// One after the other: nothing runs beside the tests that measure speed.
const browserRuns = [
  { name: 'screens', project: 'screens' },
  // A soak runs all files against a cluster (tests/server/cluster/browsers.test.ts).
  {
    name: 'cluster',
    project: 'screens',
    files: ['tests/e2e/mining.spec.ts'],
    env: { E2E_CLUSTER: '1' },
  },
  { name: 'measuring', project: 'measuring' },
];
for (const { name, project, files = [], env = {} } of browserRuns) {
  const chromium = project === 'screens' ? ensureHeadless() : ensureChromium();
  const file = join(output, `${name}.json`);
  const status =
    chromium === undefined
      ? 1
      : run(
          [
            ...[bin('@playwright/test/cli.js'), 'test', `--project=${project}`],
            ...['--reporter=list,json', ...files],
          ],
          { PLAYWRIGHT_JSON_OUTPUT_NAME: file, CHROME_PATH: chromium, ...env },
        );
  const results = chromium === undefined ? undefined : readBrowserResults(file);
  const retried = results?.retriedNames ?? [];
  notPassed.push(...(results?.failedNames ?? []).map((name) => `failed: ${name}`));
  notPassed.push(...retried.map((name) => `passed only on a retry: ${name}`));
  const failed = (results?.failed ?? 1) + (process.env.CI ? retried.length : 0);
  step(`browser, ${name}`, {
    passed: (results?.passed ?? 0) + (process.env.CI ? 0 : retried.length),
    failed: status !== 0 ? Math.max(1, failed) : failed,
    skipped: results?.skipped ?? 0,
  });
}

rmSync(output, { recursive: true, force: true });
for (const line of notPassed) console.log(line);
const { passed, failed, skipped } = total;
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
