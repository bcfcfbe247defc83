import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './tree';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { dependencies: Record<string, string>; devDependencies: Record<string, string> };
const packages = Object.keys({ ...dependencies, ...devDependencies });
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
/** The first column of each table of packages. */
const [, listed = ''] = /## In the page\n([\s\S]*?)\n## Written by hand/.exec(page) ?? [];
const named = listed
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  .map(([, name = '']) => name);

describe('docs/dependencies.md', () => {
  it('explains every package', () => {
    expect(packages.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  });

  it('explains no removed package', () => {
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !packages.includes(name))).toEqual([]);
  });
});
