import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportedNames } from './names';
import { root } from './tree';

const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([term]) => term !== 'term');

describe('docs/glossary.md', () => {
  it('explains each term once', () => {
    const terms = rows.flatMap(([term = '']) => term.split(', '));
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });

  it('names only what the code exports', () => {
    const names = exportedNames();
    const named = rows.flatMap(([, , where = '']) =>
      [...where.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has a place for each term', () => {
    expect(rows.filter(([, meaning, where]) => !meaning || !where)).toEqual([]);
  });
});
