import { expect, it } from 'vitest';
import { sourceFiles } from './tree';

const page = sourceFiles(['src']);

/** Where a screen can't be loaded, the boundary around it says so. */
const ALLOWED = ['src/app/lazyScreen.ts', 'src/ui/lazyPart.tsx'];

it('a part of the page that is loaded later says where it could not be loaded (src/ui/lazyPart.tsx)', () => {
  const own = page.filter(({ text }) => /import \{[^}]*\blazy\b[^}]*\} from 'react'/.test(text));
  expect(own.map(({ path }) => path).sort()).toEqual(ALLOWED);
});

it('nobody imports code without a word where that fails', () => {
  const careless = page.filter(({ text }) => /\bvoid (\(await )?import\(/.test(text));
  expect(careless.map(({ path }) => path)).toEqual([]);
});
