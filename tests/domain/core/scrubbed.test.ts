import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scrubbed } from '#domain/core/scrubbed';

it.each([
  [
    "Cannot read properties of undefined (reading 'email')",
    'Cannot read properties of undefined (reading …',
  ],
  ['can\'t access property "name", e is undefined', "can't access property …"],
  ["undefined is not an object (evaluating 'e.total')", 'undefined is not an object (evaluating …'],
  ['Uncaught (in promise) TypeError: e is not a function', 'e is not a function'],
  [`Unexpected token 'm', "my "own" words" is not valid JSON`, 'Unexpected token …'],
  ['not a decimal: 12.50', 'not a decimal …'],
  ['Balance 1,204.50 of ann@example.com', 'Balance … of …'],
  ['no user 王小明 here', 'no user … here'],
  ['at https://example.com/?token=abc', 'at https …'],
  ['token abcdefghijabcdefghijabcdefghijabcdefghij', 'token …'],
  ['path /order/secret', 'path …'],
  ['a ‘quoted’ word', 'a …'],
  ['', ''],
])('%s', (message, expected) => {
  expect(scrubbed(message)).toBe(expected);
});

it('leaves no digit, no quoted text, nothing of another alphabet, and is done after one turn', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (a, b) => {
      const once = scrubbed(`${a} "${b}`);
      expect(once).toMatch(/^[ -~…]{0,200}$/);
      expect(once).not.toMatch(/[\d"`@/\\:]/);
      expect(scrubbed(once)).toBe(once);
    }),
  );
});

it('takes no longer for a long one', () => {
  expect(scrubbed('Error'.repeat(100_000)).length).toBeLessThanOrEqual(200);
});
