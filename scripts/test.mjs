// npm test, npm run test:unit and npm run test:browser: see HELP.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.mjs';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { formerDist } from './lib/builtCommit.mjs';
import { ensureChromium, ensureHeadless } from './lib/chromium.mjs';
import { commitNumber } from './lib/commitNumber.mjs';
import { ENGINES, missingEngine, OTHER_ENGINES } from './lib/engines.mjs';
import { bin, ensureInstalled, root } from './lib/install.mjs';
import { ownTests } from './lib/ownTests.mjs';
import { readOptions } from './lib/readOptions.mjs';
import { isBuilt, sourceVersion } from './lib/sources.mjs';
import { readBrowserResults, readUnitResults } from './lib/testResults.mjs';
import { writeTurns } from './lib/turns.mjs';
import { zoneOf } from './lib/zones.mjs';

const HELP = `npm test                        installs, checks, builds, and runs all tests, some of those in a browser also in each other
                                engine that is installed: all of them in twenty commits
npm run test:unit [-- FILE…]    runs the tests of vitest, all or those of the files
npm run test:browser [-- FILE…] runs the tests in a browser, all or those of the files

A FILE is a test or a part of its path, or a source file, which stands for its own tests. The last lines are the slowest
tests, what was skipped and why, what failed, and \`N passed, N failed\`.

  --shard 1/3   only a part of the files
  --engine NAME (chromium) firefox or webkit, for the browser tests
  --help
  FORMER=1      builds the former release too, whose pages and server meet ours in browser tests
  COMMIT=N      the samples and the time zone of the N-th commit instead of this one's
  TZ=ZONE       in another time zone
  BARE=1        as on a machine that has only Node and Chromium`;

const SLOWEST = 20;
/** As tests/helpers/samples.ts says it. */
const TURN = "another commit's turn";
const NO_RESULTS = { passed: 0, failedNames: [], retriedNames: [], skips: [], durations: [] };

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    shard: { type: 'string' },
    engine: { type: 'string', default: 'chromium' },
  },
});
if (!ENGINES.includes(values.engine)) {
  console.error(`--engine is one of ${ENGINES.join(', ')}`);
  process.exit(2);
}
const files = ownTests(positionals);
const shard = values.shard ? [`--shard=${values.shard}`] : [];
const commit = commitNumber();
const zone = zoneOf(commit);
const output = mkdtempSync(join(tmpdir(), 'fulcrum-test-'));
/** `npm test` samples; the other commands run all that they are asked for, as does ALL=1. */
const sampling = !values.only && !process.env.ALL;
/** Of the former release, on request: its build takes minutes. */
const FORMER_DIST = process.env.FORMER && values.only !== 'unit' ? formerDist() : undefined;
/** Browser tests whose turn is that of another commit. */
let waiting = 0;
/** What each kind of test brought. */
const kinds = [];
const times = [];

ensureInstalled();
if (!values.only) await timed('check', runCheck);
// Unit tests read the build (its size) and run it (kill -9); those of a few files do not wait for one.
if (values.only !== 'unit' || files.length === 0) await timed('build', buildWhenNeeded);
if (values.only !== 'browser') await timed('unit', runUnit);
if (values.only !== 'unit') await timed('browser', runBrowser);
rmSync(output, { recursive: true, force: true });
process.exit(report() ? 0 : 1);

async function runCheck() {
  const passed = await check();
  add('check', passed ? 0 : 1, { ...NO_RESULTS, passed: passed ? 1 : 0 });
}

function runUnit() {
  const file = join(output, 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const status = run([bin('vitest/vitest.mjs'), 'run', ...reporters, ...shard, ...files], {
    ...(isBuilt(sourceVersion()) && { FULCRUM_DIST: 'dist' }),
  });
  add('unit', status, readUnitResults(file, root));
}

function runBrowser() {
  if (values.engine !== 'chromium') return runEngine(values.engine);
  runProject('browser', 'screens', files);
  // One commit of four; a soak runs all files against a cluster (tests/server/cluster/browsers.test.ts).
  if (!values.only && (!sampling || commit % 4 === 0)) {
    runProject('browser, cluster', 'screens', ['mining.spec.ts'], { E2E_CLUSTER: '1' });
  }
  // Nothing runs beside the tests that measure speed.
  runProject('browser, measuring', 'measuring', files);
  if (!values.only) OTHER_ENGINES.forEach(runEngine);
}

/** All browser tests in an engine other than Chromium; their turns are rarer. */
function runEngine(engine) {
  const kind = `browser, ${engine}`;
  const reason = missingEngine(engine);
  if (reason) return add(kind, 0, { ...NO_RESULTS, skips: [{ name: engine, reason }] });
  runProject(kind, 'screens', files, { ENGINE: engine });
}

function runProject(kind, project, filters, { ENGINE = 'chromium', ...env } = {}) {
  const chromium = project === 'screens' ? ensureHeadless() : ensureChromium();
  if (ENGINE === 'chromium' && chromium === undefined) return add(kind, 1);
  const file = join(output, `${kind}.json`);
  const options = [`--project=${project}`, '--reporter=list,json', '--pass-with-no-tests'];
  if (sampling && filters.length === 0) {
    const list = join(output, `${kind}.txt`);
    const turns = writeTurns(project, ENGINE, commit, list);
    waiting += turns.waiting;
    if (turns.drawn === 0) return;
    options.push(`--test-list=${list}`);
  }
  const status = run([bin('@playwright/test/cli.js'), 'test', ...options, ...shard, ...filters], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    CHROME_PATH: chromium,
    ENGINE,
    ...(FORMER_DIST && { FORMER_DIST }),
    ...env,
  });
  add(kind, status, readBrowserResults(file));
}

function run(args, env) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      COMMIT: String(commit),
      TZ: zone,
      ...(!sampling && { ALL: '1' }),
      ...env,
    },
  });
  return status ?? 1;
}

/** Adds the results of a kind. A run that failed without a failed test has an error outside of its tests. */
function add(kind, status, { retriedNames, failedNames, ...results } = NO_RESULTS) {
  const notPassed = failedNames.map((name) => `failed: ${name}`);
  if (status !== 0 && notPassed.length === 0) notPassed.push(`failed: ${kind}`);
  // CI takes a test that passed only at the second attempt as failed.
  const retried = retriedNames.map((name) => `passed only on a retry: ${name}`);
  const failed = notPassed.length + (process.env.CI ? retried.length : 0);
  const passed = results.passed + (process.env.CI ? 0 : retried.length);
  console.log(`${kind}: ${passed} passed, ${failed} failed, ${results.skips.length} skipped`);
  kinds.push({ ...results, kind, passed, failed, notPassed: [...notPassed, ...retried] });
}

async function timed(name, body) {
  const begun = performance.now();
  await body();
  times.push(`${name} ${Math.round((performance.now() - begun) / 1000)} s`);
}

/** Prints the closing lines; returns whether all passed. */
function report() {
  for (const { kind, durations } of kinds) {
    if (durations.length <= 1) continue;
    console.log(`\nThe slowest tests, ${kind}:`);
    durations.sort((a, b) => b.seconds - a.seconds);
    for (const { name, seconds } of durations.slice(0, SLOWEST)) {
      console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
    }
  }
  console.log(`\n${times.join(', ')}`);
  console.log(`In the time zone ${zone}: TZ=${zone} repeats it.`);
  if (sampling)
    console.log(
      `The samples of commit ${commit}: COMMIT=${commit} repeats them, npm run soak runs all.`,
    );
  const reasons = new Map();
  for (const { name, reason } of kinds.flatMap(({ skips }) => skips)) {
    reasons.set(reason || name, (reasons.get(reason || name) ?? 0) + 1);
  }
  if (waiting > 0) reasons.set(TURN, (reasons.get(TURN) ?? 0) + waiting);
  for (const [reason, count] of reasons) console.log(`skipped, ${count}: ${reason}`);
  for (const line of kinds.flatMap(({ notPassed }) => notPassed)) console.log(line);
  const sum = (of) => kinds.reduce((total, each) => total + of(each), 0);
  const passed = sum((each) => each.passed);
  const failed = sum((each) => each.failed);
  const skipped = sum(({ skips }) => skips.length);
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  const isMissing = values.engine !== 'chromium' && Boolean(missingEngine(values.engine));
  return failed === 0 && (passed > 0 || isMissing);
}
