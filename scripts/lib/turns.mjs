import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { bin, root } from './install.mjs';

/** A browser test takes ten seconds, most of them of the CPU: so many commits in a row run all. */
const TURNS = 17;
/** In the other engines, where no test is always run. */
const TURNS_ELSEWHERE = 20;

/**
 * Writes the list of the browser tests of a project whose turn it is. Returns how many these are, and how many wait for
 * another commit.
 */
export function writeTurns(project, engine, commit, file) {
  const args = [bin('@playwright/test/cli.js'), 'test', '--list', '--reporter=json'];
  const { stdout } = spawnSync(process.execPath, [...args, `--project=${project}`], {
    cwd: root,
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tests = [...listedTests(JSON.parse(stdout.toString()).suites)];
  const drawn = inTurn(tests, engine, commit);
  writeFileSync(file, drawn.map(({ name }) => name).join('\n'));
  return { drawn: drawn.length, waiting: tests.length - drawn.length };
}

/**
 * The tests whose turn it is: one of so many, and for Chromium also those tagged @always.
 * @public A test imports it by its path.
 */
export function inTurn(tests, engine, commit) {
  const everyTime = ({ tags }) => engine === 'chromium' && tags.includes('always');
  const turns = engine === 'chromium' ? TURNS : TURNS_ELSEWHERE;
  const others = tests.filter((test) => !everyTime(test));
  const drawn = new Set(others.filter((_, index) => (index + commit) % turns === 0));
  return tests.filter((test) => everyTime(test) || drawn.has(test));
}

function* listedTests(suites, titles = []) {
  for (const { title, file, specs = [], suites: inner = [] } of suites) {
    const path = title === file || title === '' ? titles : [...titles, title];
    for (const spec of specs) {
      yield { tags: spec.tags, name: [spec.file, ...path, spec.title].join(' › ') };
    }
    yield* listedTests(inner, path);
  }
}
