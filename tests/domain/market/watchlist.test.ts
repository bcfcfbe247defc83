import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSingleLine } from '#domain/core/text';
import { isWatchlistName, watchlistName, watchlistNameProblem } from '#domain/market/watchlist';

test.each([
  ['', [], 'listNameRequired'],
  ['  \u00a0 ', [], 'listNameRequired'],
  // Joiners alone show nothing.
  ['\u200d\u200c', [], 'listNameRequired'],
  ['a\u202eb', [], 'textForging'],
  ['a\u2067b', [], 'textForging'],
  ['a\nb', [], 'textForging'],
  ['a\u0000', [], 'textForging'],
  ['x'.repeat(25), [], 'textTooLong'],
  ['Metals', ['Favourites', 'metals'], 'listNameTaken'],
  ['\u1e96', ['H\u0331'], 'listNameTaken'],
  [' Café ', ['Cafe\u0301'], 'listNameTaken'],
])('the name %j beside %j breaks %s', (name, others, key) => {
  expect(watchlistNameProblem(name, others)?.key).toBe(key);
});

test.each(['x', ` ${'x'.repeat(24)} `, '😀'.repeat(24), 'ذهب', 'می\u200cخواهم', '自選 2', '#1'])(
  '%j is a name',
  (name) => {
    expect(watchlistNameProblem(name, ['Favourites'])).toBeUndefined();
  },
);

test('what passes the form is read again as the same name, and is one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
      const name = watchlistName(text);
      expect(isWatchlistName(name)).toBe(watchlistNameProblem(text, []) === undefined);
      if (!isWatchlistName(name)) return;
      expect(isSingleLine(name)).toBe(true);
      expect([...name].length).toBeLessThanOrEqual(24);
      expect(watchlistNameProblem(text, [name])).toBeDefined();
    }),
  );
});
