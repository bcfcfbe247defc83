import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toNumber } from '#domain/core/decimal';
import { change, changeNumber } from '#domain/market/change';

const price = (precision: number) =>
  fc
    .integer({ min: 1, max: 10_000_000 })
    .map((digits) => Number((digits / 10 ** precision).toFixed(precision)));

describe('the change of a price', () => {
  it.each([
    [1.08423, 1.08, '0.39'],
    [100.005, 100, '0.01'],
    [99.995, 100, '-0.01'],
    [100.0049, 100, '0'],
  ])('%d since %d is %s percent', (now, open, expected) => {
    expect(toNumber(change(now, open))).toBe(Number(expected));
    expect(changeNumber(now, open)).toBe(Number(expected));
  });

  it('is the same as a double and as a decimal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.context(), (precision, context) => {
        fc.assert(
          fc.property(price(precision), price(precision), (now, open) => {
            context.log(`${now} ${open}`);
            expect(changeNumber(now, open)).toBe(toNumber(change(now, open)));
          }),
          { numRuns: 100 },
        );
      }),
      { numRuns: 20 },
    );
  });

  it('is unknown where a price is', () => {
    expect(changeNumber(Number.NaN, 1)).toBeNaN();
    expect(changeNumber(1, Number.NaN)).toBeNaN();
  });
});
