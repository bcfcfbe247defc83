// npm run faults: see HELP. Ends with `N of M found`.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, root } from './lib/install.mjs';
import { plantedFaults } from './lib/plantedFaults.mjs';
import { readOptions } from './lib/readOptions.mjs';
import { writeResults } from './lib/soakResults.mjs';

const HELP = `npm run faults -- [OPTIONS]

Plants the faults of tests/faults/ one after the other in a copy of the last commit, runs the tests that each names, and
expects one to fail. A group that was run whole gets its line in tests/SOAK.md.

  --only WORD   a group (client, server, cluster, links, page, security) or a fault; may be repeated
  --resume      goes on where the last runs were cut: what they have said of the same patches counts
  SEEDS=N       so many seeds of each simulation (200)
  --help`;

const { values } = readOptions(HELP, {
  options: { only: { type: 'string', multiple: true }, resume: { type: 'boolean' } },
});
ensureInstalled();
const { createVitest } = await import('vitest/node');
const git = (args, options) => execFileSync('git', args, { cwd: root, ...options });
const commit = git(['rev-parse', 'HEAD']).toString().trim();
const { only } = values;
const chosen = plantedFaults().filter(
  ({ group, name }) => !only || only.includes(group) || only.includes(name),
);
if (chosen.length === 0) {
  console.error('No such fault.');
  process.exit(2);
}

const kept = join(root, '.soak/faults.jsonl');
mkdirSync(join(root, '.soak'), { recursive: true });
const done = new Map();
if (values.resume && existsSync(kept)) {
  const lines = readFileSync(kept, 'utf8').trim().split('\n');
  for (const outcome of lines.map((line) => JSON.parse(line))) done.set(outcome.digest, outcome);
}

const folder = mkdtempSync(join(tmpdir(), 'fulcrum-faults-'));
const copy = join(folder, 'copy');
const remove = () => {
  spawnSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
  rmSync(folder, { recursive: true, force: true });
};
process.on('SIGINT', () => {
  remove();
  process.exit(130);
});

/** Its faults are found with PostgreSQL and NATS only. */
const WITH_SERVERS = 'links';
/** Both databases would find the same of the others. */
const { BARE = '1' } = process.env;

/** One for all faults of a kind: its databases are prepared once, and only what a fault has changed is read again. */
async function start() {
  process.env.ALL = '1';
  // Each run draws the same samples.
  process.env.COMMIT = '0';
  process.env.SEEDS ??= '200';
  const options = { root: copy, watch: false, reporters: [{}], silent: true };
  return createVitest('test', options);
}

/** Runs a test with a fault; returns what failed, or why nothing can be said of it. */
async function run({ test, name }, group) {
  const bare = group === WITH_SERVERS ? '' : BARE;
  if (vitest && process.env.BARE !== bare) {
    await vitest.close();
    vitest = undefined;
  }
  process.env.BARE = bare;
  vitest ??= await start();
  if (name) vitest.setGlobalTestNamePattern(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  else vitest.resetGlobalTestNamePattern();
  const specifications = await vitest.globTestSpecifications([test]);
  const { testModules } = await vitest.runTestSpecifications(specifications);
  // It keeps what ran before.
  const own = testModules.filter(({ moduleId }) => moduleId === join(copy, test));
  const tests = own.flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.find((each) => each.result().state === 'failed');
  // What cannot be loaded is noticed by anybody.
  if (!failed) {
    const ran = tests.some((each) => each.result().state === 'passed');
    return ran ? {} : { broken: 'no test ran' };
  }
  const [error] = failed.result().errors;
  if (/^(?:Reference|Syntax)Error$/.test(error.name)) return { broken: error.message };
  return { failed: failed.fullName, message: error.message };
}

/** Has the files of a fault read again. */
function reread({ text }) {
  for (const [, file] of text.matchAll(/^\+\+\+ b\/(.+)$/gm))
    vitest?.invalidateFile(join(copy, file));
}

async function plant(fault) {
  git(['apply', '-'], { cwd: copy, input: fault.text });
  reread(fault);
  try {
    let broken;
    for (const test of fault.tests) {
      const result = await run(test, fault.group);
      if (result.failed) return { found: true, by: `${test.test}: ${result.failed}` };
      broken ??= result.broken;
    }
    return { found: false, by: broken ?? 'all tests passed' };
  } finally {
    git(['checkout', '--quiet', '--', '.'], { cwd: copy });
    reread(fault);
  }
}

const outcomes = [];
let vitest;
try {
  git(['worktree', 'add', '--quiet', '--detach', copy, commit]);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const fault of chosen) {
    // Whatever moves its lines, the fault is the same.
    const said = fault.text.replace(/^@@.*$/gm, '');
    const digest = createHash('sha256').update(said).digest('hex');
    let outcome = done.get(digest);
    if (!outcome) {
      const begun = performance.now();
      const { group, name } = fault;
      outcome = { group, name, digest, ...(await plant(fault)) };
      outcome.seconds = Math.round((performance.now() - begun) / 1000);
      appendFileSync(kept, `${JSON.stringify(outcome)}\n`);
    }
    outcomes.push(outcome);
    const { group, name, found, by, seconds } = outcome;
    console.log(`${found ? 'found ' : 'MISSED'} ${group}/${name}, ${seconds} s: ${by}`);
  }
} finally {
  await vitest?.close();
  remove();
}

const lines = [...new Set(outcomes.map(({ group }) => group))].map((group) => {
  const own = outcomes.filter((outcome) => outcome.group === group);
  const missed = own.filter(({ found }) => !found).map(({ name }) => name);
  const seconds = own.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const found = `${own.length - missed.length} of ${own.length} found`;
  const result = missed.length > 0 ? `${found}; missed ${missed.join(', ')}` : found;
  return { group, name: `planted faults, ${group}`, count: own.length, seed: '', seconds, result };
});
const isWhole = ({ group }) => !only || only.includes(group);
writeResults(join(root, 'tests/SOAK.md'), lines.filter(isWhole), true);
const missed = outcomes.filter(({ found }) => !found);
console.log('');
for (const { name, result } of lines) console.log(`${name}: ${result}`);
console.log(`${outcomes.length - missed.length} of ${outcomes.length} found`);
process.exit(missed.length === 0 ? 0 : 1);
