import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '#domain/core/language';
import { root, sourceFiles } from './tree';
import { usedKeys } from './usedKeys';

type Strings = { [key: string]: string | Strings };

function read(language: Language): Map<string, string> {
  const strings = JSON.parse(
    readFileSync(join(root, 'locales', `${language}.json`), 'utf8'),
  ) as Strings;
  const flat = new Map<string, string>();
  const visit = (node: Strings, path: string) => {
    for (const [key, value] of Object.entries(node)) {
      const name = path ? `${path}.${key}` : key;
      if (typeof value === 'string') flat.set(name, value);
      else visit(value, name);
    }
  };
  visit(strings, '');
  return flat;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const base = (key: string) => key.replace(PLURAL, '');
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]))].sort();

const english = read('en');
const plain = [...english.keys()].filter((key) => !PLURAL.test(key));
const plural = [...new Set([...english.keys()].filter((key) => PLURAL.test(key)).map(base))];

describe('locales', () => {
  it('are the 18 of domain.md#languages', () => {
    const files = readdirSync(join(root, 'locales')).filter((name) => /^[a-z]+\.json$/.test(name));
    const languages = files
      .map((name) => name.replace('.json', ''))
      .filter((n) => n !== 'tsconfig');
    expect(languages.sort()).toEqual([...LANGUAGES].sort());
  });

  describe.each(LANGUAGES)('%s', (language) => {
    const strings = read(language);

    it('has every key', () => {
      expect(plain.filter((key) => !strings.get(key))).toEqual([]);
    });

    it('has every plural form that the language knows', () => {
      const { pluralCategories } = new Intl.PluralRules(LANGUAGE_TAGS[language]).resolvedOptions();
      const missing = plural.flatMap((key) =>
        pluralCategories.map((form) => `${key}_${form}`).filter((name) => !strings.get(name)),
      );
      expect(missing).toEqual([]);
    });

    it('has no key that English lacks', () => {
      const known = new Set([...plain, ...plural]);
      expect([...strings.keys()].filter((key) => !known.has(base(key)))).toEqual([]);
    });

    it('has the placeholders of the English text', () => {
      const wrong = [...strings].filter(([key, text]) => {
        const source = english.get(key) ?? english.get(`${base(key)}_other`) ?? '';
        // "one" may leave the number out: "un ordre".
        const optional = PLURAL.test(key) && !key.endsWith('_other') ? ['count', 'number'] : [];
        const want = placeholders(source).filter((name) => !optional.includes(name ?? ''));
        const have = placeholders(text).filter((name) => !optional.includes(name ?? ''));
        return JSON.stringify(want) !== JSON.stringify(have);
      });
      expect(wrong).toEqual([]);
    });

    // Different in English, but many languages have one word for both.
    it.each([
      ['grid.period', 'trade.indicators.parameter.length'],
      ['keys.reset', 'keys.take'],
      ['results.statement.other', 'results.statement.deposits'],
      ['orders.endedMany_other', 'trade.closed'],
      ['server.push.orders', 'trade.closed'],
      ['alerts.title', 'alerts.notify.title'],
    ])('does not begin %s like its neighbour %s', (key, neighbour) => {
      expect(strings.get(key)?.startsWith(strings.get(neighbour) ?? '')).toBe(false);
    });
  });
});

describe('locales/README.md', () => {
  const [, table = ''] = readFileSync(join(root, 'locales/README.md'), 'utf8').split('## Terms');
  const terms = table
    .split('\n')
    .map((row) => [...row.matchAll(/`([\w.]+)`/g)].map(([, key = '']) => key))
    .filter((keys) => keys.length > 0);

  it('names the keys of each term', () => {
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.flat().filter((key) => !english.has(key))).toEqual([]);
  });

  it.each(LANGUAGES)('has one translation of each term in %s', (language) => {
    const strings = read(language);
    const apart = terms.filter((keys) => new Set(keys.map((key) => strings.get(key))).size > 1);
    expect(apart).toEqual([]);
  });
});

describe('server/news/articles', () => {
  const folder = join(root, 'server/news/articles');
  const article = (name: string, language: Language) =>
    readFileSync(join(folder, `${name}.${language}.html`), 'utf8');

  it.each(LANGUAGES)('call what the screens show as they do, in %s', (language) => {
    const lower = (text: string) => text.toLocaleLowerCase(LANGUAGE_TAGS[language]);
    const strings = read(language);
    const label = (key: string) => lower(strings.get(key)?.replace(/[,،] %$/, '') ?? key);
    const named = [
      ['01-lots', 'trade.preview.pointValue'],
      ['02-margin', 'trade.details.unitsPerLot'],
      ['03-fees', 'orders.field.swap'],
      ['06-stop-out', 'account.riskRate'],
    ] as const;
    expect(
      named.filter(([name, key]) => !lower(article(name, language)).includes(label(key))),
    ).toEqual([]);

    const texts = new Set([...strings.values()].map(lower));
    const quoted = readdirSync(folder)
      .filter((name) => name.endsWith(`.${language}.html`))
      .flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/[“„«「‘]\s?(.+?)\s?[”“»」’]/gu),
      ])
      .map(([, text = '']) => lower(text));
    expect(quoted.filter((text) => !texts.has(text))).toEqual([]);
  });
});

describe('the code', () => {
  it('shows no text from outside locales/', () => {
    // Words between tags, and the attributes that users see or screen readers read; codes such as USD are the same everywhere.
    const text = />([^<>{}=;()]*\p{L}{2,}[^<>{}=;()]*)<\//gu;
    const attribute = /\b(?:title|placeholder|aria-label|alt|label)="([^"]*\p{L}{2,}[^"]*)"/gu;
    const found = sourceFiles(['src'], /\.tsx$/).flatMap((file) =>
      [text, attribute]
        .flatMap((pattern) => [...file.text.matchAll(pattern)])
        .map(([, words = '']) => words.trim())
        .filter((words) => !/^[A-Z]{3,4}$/.test(words) && !english.has(words))
        .map((words) => `${file.path}: ${words}`),
    );
    expect(found).toEqual([]);
  });

  describe('uses every key of locales/', () => {
    const used = usedKeys();
    const unused = (keys: readonly string[]) => keys.filter((key) => !used.has(key));

    it('without exception', () => {
      expect(unused([...plain, ...plural])).toEqual([]);
    });

    it.each([
      'orders.side.price',
      'orders.planted',
      'planted.title',
      'rules.planted',
      'server.record.buy',
    ])('would find %s', (planted) => {
      expect(unused([planted])).toEqual([planted]);
    });
  });
});
