// npm run mutation: see HELP. Ends with a line for each folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractCommit } from './lib/builtCommit.mjs';
import { ensureInstalled, ensurePackages, root } from './lib/install.mjs';
import { readOptions } from './lib/readOptions.mjs';
import { writeResults } from './lib/soakResults.mjs';

const HELP = `npm run mutation -- [OPTIONS]

Changes operators, conditions and texts of the last commit's code one after the other (Stryker), and expects a test to
fail: the share of those that one notices is the score. What no test runs counts as unnoticed, and so does what keeps the
tests from being loaded. Writes a line for each folder into tests/SOAK.md. On a busy machine tests that take too long would
count as noticed.

  --only WORD     a folder, such as domain/wallet; may be repeated
  --mutants N     drawn of all folders together, by SEED (700)
  --list          names the survivors
  --help`;

/** Folders, and the tests that are run. */
const FOLDERS = {
  'domain/trading': [
    ...['domain/trading', 'domain/practice', 'workers/trading', 'workers/pricing'],
    ...['workers/alerts', 'server/trading', 'server/alerts'],
  ],
  'domain/wallet': ['domain/wallet', 'server/wallet'],
  'domain/mining': ['domain/mining', 'server/mining'],
  'server/ledger': [
    ...['server/ledger', 'server/wallet', 'server/mining', 'server/trading', 'server/admin'],
    ...['server/account', 'server/commands', 'server/log', 'server/tracing'],
  ],
  'server/trading': [
    ...['server/trading', 'server/previews', 'server/account', 'server/commands', 'server/metrics'],
    'server/market',
  ],
  // Reversals are tested as trading.
  'workers/requests': ['workers/requests', 'workers/trading', 'workers/simulation'],
  'workers/connection': ['workers/connection', 'workers'],
};

const { values } = readOptions(HELP, {
  options: {
    only: { type: 'string', multiple: true },
    mutants: { type: 'string', default: '700' },
    list: { type: 'boolean' },
  },
});
ensureInstalled();
ensurePackages('scripts/mutation', '--legacy-peer-deps');
const { listMutants } = await import('./mutation/listMutants.mjs');
const { keyOf } = await import('./mutation/sample.mjs');
const seed = process.env.SEED ?? '20260105';
const folders = Object.keys(FOLDERS).filter(
  (folder) => !values.only || values.only.includes(folder),
);

const work = mkdtempSync(join(tmpdir(), 'fulcrum-mutation-'));
const copy = join(work, 'copy');
const remove = () => rmSync(work, { recursive: true, force: true });
process.on('SIGINT', () => {
  remove();
  process.exit(130);
});

const ordered = (text) => createHash('sha256').update(`${seed} ${text}`).digest('hex');

/** The mutants that are drawn, by folder: as many of each, where it has so many. */
async function draw() {
  const all = new Map();
  for (const folder of Object.keys(FOLDERS)) {
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const keys = (await listMutants(names.map((name) => join(copy, folder, name)))).map(keyOf);
    all.set(
      folder,
      keys.sort((a, b) => (ordered(a) < ordered(b) ? -1 : 1)),
    );
  }
  const drawn = new Map();
  let left = Number(values.mutants);
  const smallestFirst = [...all].sort(([, a], [, b]) => a.length - b.length);
  for (const [index, [folder, keys]] of smallestFirst.entries()) {
    drawn.set(folder, keys.slice(0, Math.ceil(left / (all.size - index))));
    left -= drawn.get(folder).length;
  }
  return drawn;
}

const isNoticed = ({ status }) => status === 'Killed' || status === 'Timeout';

/** Lower bound of the 95 % interval of a share (Wilson). */
function lowerBound(part, all) {
  const z = 1.96;
  const share = part / all;
  const middle = share + z ** 2 / (2 * all);
  const half = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  return (middle - half) / (1 + z ** 2 / all);
}

function run(folder, keys) {
  const files = FOLDERS[folder].flatMap((part) => testsOf(`tests/${part}`));
  const drawn = join(work, 'drawn.json');
  const report = join(work, 'report.json');
  writeFileSync(drawn, JSON.stringify(keys));
  const options = {
    mutate: [...new Set(keys.map((key) => key.split(' ', 1)[0]))],
    inPlace: true,
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    checkers: ['sample'],
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation/sample.mjs'],
    // For sample.mjs.
    drawn,
    warnings: { unknownOptions: false },
    reporters: ['json'],
    jsonReporter: { fileName: report },
    // Stryker can't read TypeScript 7's, and vitest needs none.
    tsconfigFile: 'none.json',
    concurrency: 2,
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 60,
    logLevel: 'warn',
  };
  const config = join(work, 'stryker.json');
  writeFileSync(config, JSON.stringify(options));
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'scripts/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'),
      'run',
      config,
    ],
    {
      cwd: copy,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, MUTATION_TESTS: JSON.stringify(files), BARE: '1', COMMIT: '0' },
    },
  );
  if (status !== 0 && !existsSync(report)) process.exit(1);
  const { files: reported } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.entries(reported).flatMap(([file, { mutants }]) =>
    mutants
      .filter((mutant) => mutant.status !== 'CompileError')
      .map((mutant) => ({ file, ...mutant })),
  );
}

function testsOf(folder) {
  return readdirSync(join(copy, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

const linkPackages = (folder) => symlinkSync(join(root, folder), join(copy, folder));
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** What was noticed of mutants, in words. */
function summary(mutants) {
  const noticed = mutants.filter(isNoticed).length;
  const score = percent(noticed / mutants.length);
  const least = percent(lowerBound(noticed, mutants.length));
  return `${noticed} of ${mutants.length} noticed: ${score}, at least ${least}`;
}

const lines = [];
const all = [];
try {
  mkdirSync(copy);
  extractCommit('HEAD', copy);
  linkPackages('node_modules');
  linkPackages('scripts/mutation/node_modules');
  process.chdir(copy);
  const drawn = await draw();
  for (const folder of folders) {
    const begun = performance.now();
    const mutants = run(folder, drawn.get(folder));
    const seconds = Math.round((performance.now() - begun) / 1000);
    all.push(...mutants);
    const result = summary(mutants);
    lines.push({ name: `mutants of ${folder}`, count: mutants.length, seed, seconds, result });
    console.log(`${folder}, ${seconds} s: ${result}`);
    for (const { file, location, status, mutatorName, replacement } of mutants)
      if (values.list && !isNoticed({ status }))
        console.log(`  ${file}:${location.start.line} ${status}, ${mutatorName}: ${replacement}`);
  }
} finally {
  process.chdir(root);
  remove();
}
writeResults(join(root, 'tests/SOAK.md'), lines, true);
console.log(summary(all));
