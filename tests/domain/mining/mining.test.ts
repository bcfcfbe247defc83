import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  add,
  compare,
  decimal,
  product,
  shiftDown,
  subtract,
  toFixed,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { DAY_MS, toUnixMs } from '#domain/core/time';
import { toPercent, toUsd, type Usd } from '#domain/core/units';
import {
  dailyProfit,
  daysPassed,
  redeemed,
  redemptionPenalty,
  totalProfit,
  yearlyRate,
} from '#domain/mining/mining';
import { usd } from '../support/instruments';

describe('mining (domain.md#mining)', () => {
  it.each([
    ['0.5', '1000', '5.0000'],
    ['0.35', '1234.56', '4.3210'],
    ['0.0137', '333.33', '0.0457'],
    ['0.00001', '5', '0.0000'],
    ['0.001', '5', '0.0001'],
  ])('%s %% a day of %s is %s', (percent, amount, profit) => {
    expect(toFixed(dailyProfit(toPercent(percent), usd(amount)), 4)).toBe(profit);
  });

  it('counts a year as 365 days without compounding', () => {
    expect(toText(yearlyRate(toPercent('0.0325')))).toBe('11.8625');
  });

  it('pays days × the rounded daily profit in all', () => {
    const daily = dailyProfit(toPercent('0.0137'), usd('333.33'));
    expect(toText(totalProfit(365, daily))).toBe('16.6805');
  });

  it.each([
    ['5', '1000', '50', '950'],
    ['2.5', '333.33', '8.33', '325'],
    ['0.3', '1.5', '0', '1.5'],
    ['100', '70', '70', '0'],
  ])('%s %% of %s is a penalty of %s and returns %s', (percent, amount, penalty, back) => {
    expect(toText(redemptionPenalty(toPercent(percent), usd(amount)))).toBe(penalty);
    expect(toText(redeemed(toPercent(percent), usd(amount)))).toBe(back);
  });

  const percents = fc.bigInt({ min: 0n, max: 10_000_000n }).map((n) => toPercent(decimal(n, 5)));
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 11n }).map((n) => toUsd(decimal(n, 2)));

  it('is within half of the last decimal of the exact share', () => {
    fc.assert(
      fc.property(percents, amounts, (percent, amount) => {
        const exact = toUsd(shiftDown(product(percent, amount), 2));
        const off = (value: Usd) => absolute(subtract(value, exact));
        expect(compare(off(dailyProfit(percent, amount)), toUsd('0.00005'))).toBeLessThanOrEqual(0);
        const penalty = redemptionPenalty(percent, amount);
        expect(compare(off(penalty), toUsd('0.005'))).toBeLessThanOrEqual(0);
        expect(compare(add(redeemed(percent, amount), penalty), amount)).toBe(0);
      }),
    );
  });

  it('has a total that is the sum of its days', () => {
    fc.assert(
      fc.property(percents, amounts, fc.integer({ min: 1, max: 400 }), (percent, amount, days) => {
        const daily = dailyProfit(percent, amount);
        let sum: Usd = ZERO;
        for (let day = 0; day < days; day++) sum = add(sum, daily);
        expect(compare(sum, totalProfit(days, daily))).toBe(0);
      }),
    );
  });

  it('counts whole days up to the term, and never below zero', () => {
    expect(daysPassed(toUnixMs(0), toUnixMs(DAY_MS - 1), 30)).toBe(0);
    expect(daysPassed(toUnixMs(0), toUnixMs(DAY_MS), 30)).toBe(1);
    expect(daysPassed(toUnixMs(1), toUnixMs(DAY_MS), 30)).toBe(0);
    expect(daysPassed(toUnixMs(0), toUnixMs(400 * DAY_MS), 30)).toBe(30);
    expect(daysPassed(toUnixMs(5 * DAY_MS), toUnixMs(0), 30)).toBe(0);
  });
});
