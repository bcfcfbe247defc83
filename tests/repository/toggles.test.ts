import { expect, it } from 'vitest';
import { sourceFiles } from './tree';

/** The opening tag of a button whose attributes have lines of their own. */
const BUTTON = /<(?:IconButton|Button|button)\b[\s\S]*?\n\s*\/?>/g;
const PRESSED = /aria-pressed=\{([\w.]+)\}/;

it('a toggle is pressed or changes its name: both together say the opposite', () => {
  const buttons = sourceFiles(['src'], /\.tsx$/).flatMap(({ path, text }) =>
    [...text.matchAll(BUTTON)].map(([tag]) => ({ path, tag })),
  );
  const toggles = buttons.flatMap(({ path, tag }) => {
    const [, state] = PRESSED.exec(tag) ?? [];
    return state ? [{ path, tag, state }] : [];
  });
  expect(toggles.length).toBeGreaterThan(5);
  const both = toggles.filter(({ tag, state }) => tag.includes(`label={t(${state} ?`));
  expect(both.map(({ path }) => path)).toEqual([]);
});
