import { expect, it } from 'vitest';
import { sourceFiles } from './tree';

const page = sourceFiles(['src']);

it('a part of the page that is loaded later is a lazyPart or a lazyScreen: React shows its own 300 ms late', () => {
  const own = page.filter(({ text }) =>
    /import \{[^}]*\b(lazy|Suspense)\b[^}]*\} from 'react'/.test(text),
  );
  expect(own.map(({ path }) => path)).toEqual([]);
});

it('nobody imports code without a word where that fails', () => {
  const careless = page.filter(({ text }) => /\bvoid (\(await )?import\(/.test(text));
  expect(careless.map(({ path }) => path)).toEqual([]);
});
