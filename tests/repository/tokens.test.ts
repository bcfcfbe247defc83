import { expect, test } from 'vitest';
import { sourceFiles } from './tree';

// A declaration with an unknown property is dropped in silence: the text keeps its parent's colour.
test('every custom property that a style reads without a fallback exists', () => {
  const styles = sourceFiles(['src'], /\.css$/);
  const known = new Set(
    sourceFiles(['src'], /\.(css|ts|tsx)$/).flatMap(({ text }) => [
      ...matches(text, /(--[\w-]+):/g),
      ...matches(text, /'(--[\w-]+)'/g),
    ]),
  );
  const unknown = styles.flatMap(({ path, text }) =>
    matches(text, /var\((--[\w-]+)\)/g)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
