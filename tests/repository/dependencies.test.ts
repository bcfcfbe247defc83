import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './tree';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { dependencies: Record<string, string>; devDependencies: Record<string, string> };
const packages = Object.keys({ ...dependencies, ...devDependencies });
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
const [, listed = ''] = /## In the page\n([\s\S]*?)\n## Written by hand/.exec(page) ?? [];
/** The packages before each colon; alternatives are named after it. */
const named = [...listed.matchAll(/((?:`[^`\s]+`,?\s*)+)(?:\([^)]*\))?:/g)].flatMap(
  ([, names = '']) => names.match(/[^`,\s]+/g) ?? [],
);

describe('docs/dependencies.md', () => {
  it('explains every package', () => {
    expect(packages.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  });

  it('explains no removed package', () => {
    expect(named.length).toBeGreaterThan(packages.length / 2);
    expect(named.filter((name) => !packages.includes(name))).toEqual([]);
  });
});
