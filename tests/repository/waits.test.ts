import { expect, it } from 'vitest';
import { sourceFiles } from './tree';

it('tests wait by tests/helpers/eventually.ts: Vitest gives up after a second, which a loaded machine needs', () => {
  const files = sourceFiles(['tests']).filter(({ text }) => /\bvi\.wait(For|Until)\b/.test(text));
  expect(files.map(({ path }) => path)).toEqual(['tests/helpers/eventually.ts']);
});
