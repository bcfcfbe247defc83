import { expect, it } from 'vitest';
import { decimal } from '#domain/core/decimal';
import { toPercent } from '#domain/core/units';
import { marginState, warnedState } from '#domain/trading/marginWarning';

const percent = (hundredths: number) => toPercent(decimal(hundredths, 2));

it.each([
  [5001, undefined],
  [5000, undefined],
  [4999, 'low'],
  [3000, 'low'],
  [2999, 'critical'],
  [-1, 'critical'],
])('a margin level of %d hundredths of a percent is %s', (level, state) => {
  expect(marginState(percent(level))).toBe(state);
});

it.each([
  ['nothing is told above the limit', undefined, 5000, undefined],
  ['low', undefined, 4999, 'low'],
  ['critical at once', undefined, 2999, 'critical'],
  ['worse', 'low', 2999, 'critical'],
  ['better, but told already', 'critical', 4999, 'critical'],
  ['still low beside the limit', 'low', 5499, 'low'],
  ['over', 'low', 5500, undefined],
  ['over as well', 'critical', 5500, undefined],
] as const)('%s', (_, former, level, state) => {
  expect(warnedState(former, percent(level))).toBe(state);
});

it('is over where there is no margin in use', () => {
  expect(warnedState('critical', undefined)).toBeUndefined();
});
