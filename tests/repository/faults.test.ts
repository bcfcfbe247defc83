import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plantedFaults } from '../../scripts/lib/plantedFaults.mjs';
import { root } from './tree';

const faults = plantedFaults();
const inGroups = (...groups: string[]) =>
  faults.filter(({ group }) => groups.includes(group)).length;

it('there are thirty of client and server, of the cluster and of the page', () => {
  expect(inGroups('client', 'server')).toBeGreaterThanOrEqual(30);
  expect(inGroups('cluster', 'links')).toBeGreaterThanOrEqual(30);
  expect(inGroups('page')).toBeGreaterThanOrEqual(30);
});

it('no two are the same mistake', () => {
  const mistakes = faults.map(({ text, preamble }) => text.slice(preamble.length));
  expect(new Set(mistakes).size).toBe(mistakes.length);
});

it('each can still be planted', () => {
  const rotten = faults.filter(
    ({ text }) => spawnSync('git', ['apply', '--check', '-'], { cwd: root, input: text }).status,
  );
  expect(rotten.map(({ path }) => path)).toEqual([]);
});

it.each(faults)('$group/$name says what goes wrong, and names tests that exist', (fault) => {
  const { preamble, tests } = fault;
  expect(preamble).toMatch(/^[A-Z].+\.\n(?:Found by: .+\n)+$/);
  expect(tests.length).toBeGreaterThan(0);
  for (const { test, name = '' } of tests) {
    expect(existsSync(join(root, test)), test).toBe(true);
    expect(readFileSync(join(root, test), 'utf8')).toContain(name);
  }
});
