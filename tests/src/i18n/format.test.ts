import { act, renderHook } from '@testing-library/react';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { toDecimal } from '#domain/core/decimal';
import { LANGUAGES } from '#domain/core/language';
import { toUnixMs } from '#domain/core/time';
import {
  formatAge,
  formatAmount,
  formatChange,
  formatDateTime,
  formatExact,
  formatExactRate,
  formatMonth,
  formatPrice,
  formatPriceChange,
  formatRate,
  formatVolume,
  splitPrice,
} from '../../../src/i18n/format';
import { language, useT } from '../../../src/i18n/i18n';

afterAll(() => {
  language.value = 'en';
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The digits of a text with their sign, without separators. */
const digits = (text: string) => text.replace(/[^0-9]/g, '');

describe.each(LANGUAGES)('%s', (code) => {
  test('prices have Latin digits, all decimals and the separators of the language', () => {
    language.value = code;
    expect(digits(formatPrice(1.08423, 5))).toBe('108423');
    expect(digits(formatPrice(64_213.5, 2))).toBe('6421350');
    expect(digits(formatPrice(38_640, 0))).toBe('38640');
    expect(formatPrice(1234.5, 2)).not.toMatch(/[\u0660-\u0669\u0966-\u096f\u0e50-\u0e59]/);
  });

  test('the last two digits of a price can be set apart', () => {
    language.value = code;
    const [head, tail] = splitPrice(formatPrice(1.08423, 5));
    expect([digits(head), tail]).toEqual(['1084', '23']);
    // Not split where the decimal sign stands between the last two digits.
    expect(splitPrice(formatPrice(5202.1, 1))[1]).toBe('');
  });

  test('what is not known is no number', () => {
    language.value = code;
    const texts = [
      formatPrice(Number.NaN, 5),
      formatChange(Number.NaN),
      formatPriceChange(Number.NaN, 2),
    ];
    expect(texts).toEqual(['--', '--', '--']);
  });

  test('a change has a sign above and below zero, and none at zero', () => {
    language.value = code;
    expect(formatChange(1.25)).toMatch(/\+/);
    expect(formatChange(-1.25)).toMatch(/[-−]/);
    expect(formatChange(0)).not.toMatch(/[-−+]/);
    expect(digits(formatChange(-12.3))).toBe('1230');
    expect(formatPriceChange(0.0001, 5)).toMatch(/\+/);
  });

  test('a percentage is written like a change, and exact', () => {
    language.value = code;
    for (const percent of ['1.25', '-0.84', '0', '1234.5']) {
      expect(formatRate(toDecimal(percent), 2, 'always')).toBe(formatChange(Number(percent)));
    }
    expect(digits(formatRate(toDecimal('52986.405'), 2))).toBe('5298641');
    expect(digits(formatExactRate(toDecimal('0.0325')))).toBe('00325');
  });

  test('amounts are exact beyond the precision of a double', () => {
    language.value = code;
    expect(digits(formatAmount(toDecimal('90071992547409931.225'), 2))).toBe('9007199254740993123');
    expect(digits(formatExact(toDecimal('0.000000000000000001')))).toBe('0000000000000000001');
  });

  test('formats ages and dates', () => {
    language.value = code;
    expect(digits(formatAge(20_000))).toBe('20');
    expect(digits(formatAge(3 * 60_000 + 59_000))).toBe('3');
    expect(digits(formatAge(49 * 3_600_000))).toBe('2');
    // 2014, or 2557 in the Buddhist calendar.
    expect(formatDateTime(toUnixMs(Date.UTC(2014, 4, 7, 12)))).toMatch(/14|57/);
    expect(formatVolume(1_200_000)).not.toBe('');
  });
});

test('uses the separators of the language', () => {
  language.value = 'de';
  expect(formatPrice(64_213.5, 2)).toBe('64.213,50');
  language.value = 'hi';
  expect(formatPrice(123_456.5, 2)).toBe('1,23,456.50');
  language.value = 'en';
  expect(formatPrice(64_213.5, 2)).toBe('64,213.50');
  expect(formatChange(0.125)).toBe('+0.13%');
  expect(formatAge(61_000)).toBe('1m');
});

test('a page that stays open follows the device to another time zone', () => {
  language.value = 'en';
  vi.stubEnv('TZ', 'Europe/London');
  const { result } = renderHook(() => {
    useT();
    return formatMonth(toUnixMs(Date.UTC(2026, 10, 1)));
  });
  expect(result.current).toBe('November 2026');
  vi.stubEnv('TZ', 'America/New_York');
  act(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(result.current).toBe('October 2026');
});
