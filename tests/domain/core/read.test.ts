import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readNumber } from '#domain/core/read';

it('reads any plain decimal as the nearest double, short or long', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  fc.assert(
    fc.property(fc.constantFrom('', '-', '+'), digits, fc.option(digits), (sign, whole, rest) => {
      fc.pre(whole.length === 1 || !whole.startsWith('0'));
      const text = `${sign}${whole}${rest === null ? '' : `.${rest}`}`;
      expect(readNumber(text)).toBe(Number(text));
    }),
    { numRuns: 2000 },
  );
});

it.each(['', ' ', '-', '.', '.5', '1.2.3', '0x10', 'Infinity', 'NaN', '1,5', '--1'])(
  'reads %j as no number',
  (text) => expect(readNumber(text)).toBeUndefined(),
);
