import { expect, it } from 'vitest';
import { sourceFiles } from './tree';

it('a live region is one by its role: behind a sheet, Base UI leaves in reach what comes beside an aria-live', () => {
  const files = sourceFiles(['src'], /\.tsx$/);
  expect(files.filter(({ text }) => text.includes('role="status"')).length).toBeGreaterThan(20);
  expect(files.filter(({ text }) => /\baria-live=/.test(text)).map(({ path }) => path)).toEqual([]);
});
