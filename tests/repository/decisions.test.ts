import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, sourceFiles } from './tree';

const decisions = readFileSync(join(root, 'DECISIONS.md'), 'utf8');
const entries = [...decisions.matchAll(/^## (D\d+)\. /gm)].map((match) => match[1] ?? '');
const code = sourceFiles(
  ['domain', 'workers', 'src', 'server', 'scripts', 'bench', 'tests'],
  /\.(ts|tsx|mjs|css)$/,
);
// A citation stands in a comment; `D7` in a string or a name is none.
const citation = /(?:\/\/|\/?\*).*?\b(D\d+)\b/g;
const cited = new Map<string, string>();
for (const file of code) {
  for (const line of file.text.split('\n')) {
    for (const match of line.matchAll(citation)) {
      for (const number of match[0].match(/\bD\d+\b/g) ?? []) cited.set(number, file.path);
    }
  }
}

describe('DECISIONS.md', () => {
  it('numbers its entries from D1 on, in order, each once', () => {
    expect(entries).toEqual(entries.map((_, index) => `D${index + 1}`));
  });

  it.each(entries)('%s is cited by the code', (entry) => {
    expect([...cited.keys()]).toContain(entry);
  });

  it('has an entry for each number that the code cites', () => {
    const unknown = [...cited].filter(([number]) => !entries.includes(number));
    expect(unknown).toEqual([]);
  });
});
