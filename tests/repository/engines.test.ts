import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXCEPTIONS, exceptionFor } from '../e2e/engines/exceptions';

const { inTurn } = await import('../../scripts/lib/turns.mjs' as string);

/** Lower it with each exception that goes. */
const MOST = 0;

it('has no more exceptions than before', () => {
  expect(EXCEPTIONS.length).toBeLessThanOrEqual(MOST);
});

it.each(EXCEPTIONS)('excepts a test that exists: $file, $title', ({ file, title }) => {
  const source = readFileSync(`tests/e2e/${file}`, 'utf8');
  expect(source.replace(/\$\{[^}]*\}/g, '…')).toContain(title);
});

it.each([
  ['a title', 'a title', true],
  ['a title', 'another title', false],
  ['Back on … leads to …, (or not)', 'Back on /user leads to /, (or not)', true],
  ['Back on … leads to /', 'Back on /user leads to /mine', false],
])('%s stands for %s: %s', (title, of, is) => {
  const listed = [{ engine: 'webkit', file: 'one.spec.ts', title, reason: 'why' } as const];
  expect(exceptionFor('webkit', '/e2e/one.spec.ts', of, listed)).toBe(is ? 'why' : undefined);
  expect(exceptionFor('firefox', '/e2e/one.spec.ts', of, listed)).toBeUndefined();
});

it.each([
  ['chromium', 17, 40],
  ['firefox', 20, 20],
  ['webkit', 20, 20],
])('%s runs every test in %i commits', (engine, commits, most) => {
  const tests = Array.from({ length: 259 }, (_, index) => ({
    name: `test ${index}`,
    tags: index % 10 ? [] : ['always'],
  }));
  const run = new Set<object>();
  for (let commit = 800; commit < 800 + commits; commit++) {
    const drawn: object[] = inTurn(tests, engine, commit);
    expect(drawn.length).toBeLessThanOrEqual(most);
    for (const test of drawn) run.add(test);
  }
  expect(run.size).toBe(tests.length);
});
