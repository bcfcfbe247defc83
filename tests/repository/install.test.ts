import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from './tree';

const { isInstalled } = await import('../../scripts/lib/isInstalled.mjs' as string);

/** The packages that a file imports before it runs, through the files that it imports. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^'";]*['"]([^'"]+)['"];/gm)].flatMap(
    ([, from = '']) => {
      if (from.startsWith('node:')) return [];
      return from.startsWith('.') ? packagesOf(join(dirname(file), from), seen) : [from];
    },
  );
}

it('a command that installs the packages needs none of them before', () => {
  const scripts = readdirSync(join(root, 'scripts'))
    .map((name) => join(root, 'scripts', name))
    .filter(
      (file) => file.endsWith('.mjs') && /\bensureInstalled\(\)/.test(readFileSync(file, 'utf8')),
    );
  expect(scripts.length).toBeGreaterThan(5);
  for (const script of scripts) expect(packagesOf(script), script).toEqual([]);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'installed-'));
  mkdirSync(join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("takes npm's own list for what is installed, whoever ran npm", () => {
  const write = (file: string, packages: object) =>
    writeFileSync(join(folder, file), JSON.stringify({ packages }));
  const locked = { '': { version: '1' }, 'node_modules/a': { version: '1.2.3' } };
  write('package-lock.json', {
    ...locked,
    'node_modules/for-another-platform': { version: '1', optional: true },
  });
  expect(isInstalled(folder)).toBe(false);
  write('node_modules/.package-lock.json', locked);
  expect(isInstalled(folder)).toBe(true);
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.2.2' } });
  expect(isInstalled(folder)).toBe(false);
});
