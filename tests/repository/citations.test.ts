import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS, slugsOf } from './names';
import { root, type SourceFile, sourceFiles } from './tree';

const code = sourceFiles(PROGRAMS, /\.(ts|tsx|mjs|css)$/);
const pages = sourceFiles(
  ['docs', 'README.md', 'CONTRIBUTING.md', 'DECISIONS.md', ...PROGRAMS],
  /\.md$/,
);

const headings = new Map(pages.map(({ path, text }) => [path, slugsOf(text)]));

interface Citation {
  from: string;
  cited: string;
}

function find(files: readonly SourceFile[], pattern: RegExp): Citation[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([whole, group]) => ({ from: path, cited: group ?? whole })),
  );
}

/** In code a page is cited by its name in docs/, as in a comment that says: domain.md, then # and the heading. */
function isHeading(cited: string): boolean {
  const [page = '', slug = ''] = cited.split('#');
  return headings.get(`docs/${page}`)?.has(slug) ?? false;
}

describe('citations of docs/', () => {
  it('resolve in the code', () => {
    const citations = find(code, /\b([a-z]+\.md#[\w-]*)/g);
    expect(citations.length).toBeGreaterThan(0);
    expect(citations.filter(({ cited }) => !isHeading(cited))).toEqual([]);
  });

  it('resolve in the pages', () => {
    const plain = pages.map(({ path, text }) => ({
      path,
      text: text.replace(/\]\([^)]*\)/g, ']'),
    }));
    const citations = find(plain, /(?<![\w/])([a-z]+\.md#[\w-]+)/g);
    expect(citations.filter(({ cited }) => !isHeading(cited))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const links = find(pages, /\]\(([^)\s]+)\)/g).filter(({ cited }) => !/^\w+:/.test(cited));
    const broken = links.filter(({ from, cited }) => {
      const [file = '', slug] = cited.split('#');
      const path = file === '' ? from : normalize(join(dirname(from), file));
      if (!existsSync(join(root, path))) return true;
      return slug !== undefined && !headings.get(path.replaceAll('\\', '/'))?.has(slug);
    });
    expect(broken).toEqual([]);
  });

  it('names in backticks only files and folders that exist', () => {
    const below = new RegExp(`^(?:${[...PROGRAMS, 'docs', 'locales'].join('|')})/[\\w./-]+$`);
    const named = find(pages, /`([^`\s]+)`/g).filter(({ cited }) => below.test(cited));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ cited }) => !existsSync(join(root, cited)))).toEqual([]);
  });

  it('has no two headings of one name on a page that code cites', () => {
    const repeated = [...headings].flatMap(([path, slugs]) =>
      path.startsWith('docs/')
        ? [...slugs].filter((slug) => /-\d+$/.test(slug) && slugs.has(slug.replace(/-\d+$/, '')))
        : [],
    );
    expect(repeated).toEqual([]);
  });
});

const decisions = readFileSync(join(root, 'DECISIONS.md'), 'utf8');
const entries = decisions
  .split(/^(?=## )/m)
  .slice(1)
  .map((text) => ({ number: /^## (D\d+)\. \S/.exec(text)?.[1] ?? '', text }));
/** A citation stands in a comment; `D7` in a string or a name is none. */
const comment = /(?:\/\/|\/?\*).*?\b(D\d+)\b.*/g;
const numbers = (line: string) => line.match(/\bD\d+\b/g) ?? [];
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const citedByCode = new Set(
  code.flatMap(({ text }) => [...text.matchAll(comment)].flatMap(([line]) => numbers(line))),
);
const citedByPages = new Set(
  pages.flatMap(({ path, text }) => (path === 'DECISIONS.md' ? [] : numbers(text))),
);

describe('DECISIONS.md', () => {
  it('numbers its entries in ascending order, each once', () => {
    const found = entries.map(({ number }) => Number(number.slice(1)));
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
  });

  it('has at most 50 entries and 4,500 words', () => {
    expect(entries.length).toBeLessThanOrEqual(50);
    expect(words(decisions)).toBeLessThanOrEqual(4500);
  });

  it.each(entries)('$number has a status, a text and at most 100 words', ({ text }) => {
    expect(text).toMatch(/^## .+\nStatus: (?:accepted|superseded by D\d+)\n\n\S/);
    expect(words(text)).toBeLessThanOrEqual(100);
  });

  it('has an entry for each number that is cited', () => {
    expect(citedByCode.size).toBeGreaterThan(0);
    const known = new Set(entries.map(({ number }) => number));
    const cited = [...citedByCode, ...citedByPages, ...numbers(decisions)];
    expect(cited.filter((number) => !known.has(number))).toEqual([]);
  });

  // A decision that forbids something may have no code to cite it.
  it.each(entries)('$number is cited, or says what it forbids', ({ number, text }) => {
    const isCited = citedByCode.has(number) || citedByPages.has(number);
    expect(isCited || /^Forbidden: /m.test(text)).toBe(true);
  });
});

describe('other ways of citing', () => {
  it('are not used: section numbers, issues, pages without a heading', () => {
    const others =
      /§ ?\d|\bissue \d+|\b(?:spec|goals)\.md|(?<!docs\/)\b(?:domain|protocol|architecture|screens|design|glossary|dependencies|operations)\.md(?!#)/g;
    const self = 'tests/repository/citations.test.ts';
    expect(find(code, others).filter(({ from }) => from !== self)).toEqual([]);
    expect(find(pages, /§ ?\d|\bissue \d+|\b(?:spec|goals)\.md/g)).toEqual([]);
  });
});
