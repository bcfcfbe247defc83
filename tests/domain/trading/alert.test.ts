import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import {
  type AlertRequest,
  alertProblem,
  farLevelProblem,
  isCrossed,
  LONGEST_NOTE,
  waitingAt,
} from '#domain/trading/alert';
import { isCrossed as isCrossedBook } from '#domain/trading/fill';
import { price } from '../support/instruments';

const NOW = toUnixMs(1_000_000);
const REQUEST: AlertRequest = { price: price('1.10000'), note: '', until: undefined };

it.each<[string | undefined, string, Partial<AlertRequest>, number?]>([
  [undefined, 'one on a price', {}],
  [undefined, 'the last one that may wait', {}, 99],
  ['alerts tooManyAlerts', 'one more', {}, 100],
  ['price priceRequired', 'no price', { price: undefined }],
  ['price priceNotPositive', 'a price of 0', { price: price('0') }],
  ['price priceTooFine', 'a decimal too many', { price: price('1.100001') }],
  [undefined, 'no price where it is on a margin level', { kind: 'margin', price: undefined }],
  [undefined, 'the longest note', { note: 'n'.repeat(LONGEST_NOTE) }],
  ['note textTooLong', 'a longer one', { note: 'n'.repeat(LONGEST_NOTE + 1) }],
  ['note textForging', 'an invisible mark', { note: 'n\u2060' }],
  [undefined, 'an end to come', { until: toUnixMs(NOW + 1) }],
  ['until alertEndPast', 'an end that is now', { until: NOW }],
])('%s: %s', (expected, _, change, waiting = 0) => {
  const problem = alertProblem({ ...REQUEST, ...change }, { precision: 5, waiting, now: NOW });
  expect(problem && `${problem.field} ${problem.message.key}`).toBe(expected);
});

it('says that a level is far off, beyond ten times either', () => {
  const far = (level: string, market: string) =>
    farLevelProblem(price(level), price(market))?.field;
  expect([far('10', '1'), far('1', '10')]).toEqual([undefined, undefined]);
  expect([far('10.1', '1'), far('1', '10.1')]).toEqual(['price', 'price']);
  expect(farLevelProblem(undefined, price('1'))).toBeUndefined();
});

it('is crossed from the side on which the price stood', () => {
  const [below, level, above] = [price('1.0'), price('1.1'), price('1.2')];
  const from = (stood: typeof level, at: typeof level) =>
    isCrossed(level, waitingAt(level, stood), at);
  expect([from(below, level), from(below, above), from(below, below)]).toEqual([true, true, false]);
  expect([from(above, level), from(above, below), from(above, above)]).toEqual([true, true, false]);
  expect([from(level, below), from(level, above)]).toEqual([false, false]);
});

it('a quote is crossed where its bid is above its ask, and both are known', () => {
  const crossed = (bid?: number, ask?: number) =>
    isCrossedBook({ ...(bid && { bid }), ...(ask && { ask }) });
  expect([crossed(2, 1), crossed(1, 1), crossed(1, 2)]).toEqual([true, false, false]);
  expect([crossed(1), crossed(undefined, 1), crossed()]).toEqual([false, false, false]);
});
