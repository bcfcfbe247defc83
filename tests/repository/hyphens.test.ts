import { expect, test } from 'vitest';
import { sourceFiles } from './tree';

const LEAST = 4;

// Chromium has no hyphenation on most computers, so that no browser test sees it. Firefox wrote "Copy trad-ing" into a tab.
test('no part of a hyphenated word is shorter than four letters, in any engine', () => {
  const styles = sourceFiles(['src'], /\.css$/);
  const valuesOf = (property: string) =>
    styles.flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(`(?<![\\w-])${property}:([^;]+);`, 'g'))].map(
        ([, value = '']) => ({ path, numbers: value.trim().split(/\s+/).map(Number) }),
      ),
    );
  const limits = valuesOf('hyphenate-limit-chars');
  expect(limits.map(({ path }) => path)).toContain('src/ui/base.css');
  for (const { numbers } of limits) {
    expect(numbers).toHaveLength(3);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(LEAST);
  }
  for (const side of ['before', 'after']) {
    const [limit] = valuesOf(`-webkit-hyphenate-limit-${side}`);
    expect(limit).toEqual({ path: 'src/ui/base.css', numbers: [LEAST] });
  }
});
