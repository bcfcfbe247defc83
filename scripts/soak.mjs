// npm run soak: see HELP. Ends with `N passed, N failed`.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { ensureHeadless } from './lib/chromium.mjs';
import { ENGINES } from './lib/engines.mjs';
import { bin, ensureInstalled, root } from './lib/install.mjs';
import { readOptions } from './lib/readOptions.mjs';
import { readLines, writeResults } from './lib/soakResults.mjs';
import { ZONES } from './lib/zones.mjs';

const HELP = `npm run soak -- [FILTER…]

Runs the large counts in full, of all test files or of those whose path contains a filter. Each writes its line in
tests/SOAK.md; with a filter the other lines stay, and without one all unit tests run in each of five time zones, and all
browser tests in each engine. One that is cut goes on where it was: the pieces that it has done
are kept in .soak/ until their line is written.

  SEED=N      another seed
  MINUTES=N   each count that is made of pieces ends after about so many minutes, with what it has
  --help`;

const { positionals: filters } = readOptions(HELP, { allowPositionals: true });
ensureInstalled();
const files = readdirSync(join(root, 'tests'), { recursive: true })
  .map((file) => `tests/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.(test|spec)\.tsx?$/.test(file))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .filter((file) =>
    readFileSync(join(root, file), 'utf8').match(
      /\b(largeCount(InPieces)?|sampled|drawn|inTurn|notItsTurn|onEachDatabase(Unless)?|databasesInTurn)(<\w+>)?\(/,
    ),
  );
if (files.length === 0) {
  console.error('No large count there.');
  process.exit(1);
}

const output = mkdtempSync(join(tmpdir(), 'fulcrum-soak-'));
const SOAK_LINES = join(output, 'lines');
const SOAK_PIECES = join(root, '.soak');
mkdirSync(SOAK_PIECES, { recursive: true });
const SOAK_COMMIT = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
  .toString()
  .trim();
const env = { ...process.env, SOAK: '1', SOAK_LINES, SOAK_PIECES, SOAK_COMMIT };
const run = (args, more = {}) =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, ...more },
  }).status;

// Some large counts that are no browser tests run the build, too.
buildWhenNeeded();
const inBrowser = files.filter((file) => file.endsWith('.spec.ts'));
const others = files.filter((file) => !inBrowser.includes(file));
let status = others.length > 0 ? run([bin('vitest/vitest.mjs'), 'run', ...others]) : 0;
if (filters.length === 0) {
  const test = (args, more = {}) => {
    const { status: failed } = spawnSync(
      process.execPath,
      [join(root, 'scripts/test.mjs'), '--only', ...args],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...more } },
    );
    status ||= failed;
  };
  for (const TZ of ZONES) test(['unit'], { TZ });
  for (const engine of ENGINES) test(['browser', '--engine', engine], { FORMER: '1' });
}
if (inBrowser.length > 0) {
  const CHROME_PATH = ensureHeadless();
  const args = [bin('@playwright/test/cli.js'), 'test', '--retries=0', ...inBrowser];
  status = (CHROME_PATH === undefined ? 1 : run(args, { CHROME_PATH })) || status;
}
const lines = readLines(SOAK_LINES);
rmSync(output, { recursive: true, force: true });

writeResults(join(root, 'tests/SOAK.md'), lines, filters.length > 0);
for (const { pieces, failed } of lines) if (pieces && !failed) rmSync(pieces);
const failed = lines.filter(({ failed }) => failed).length;
console.log('');
for (const { name, count, seed, seconds, result } of lines) {
  console.log(`${name}: ${count}, seed ${seed}, ${seconds} s: ${result}`);
}
console.log(`${lines.length - failed} passed, ${failed} failed`);
process.exit(status === 0 && failed === 0 && lines.length > 0 ? 0 : 1);
