import { beforeAll, expect, test } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import type { Alert } from '#domain/trading/alert';
import type { Condition } from '#domain/trading/condition';
import { conditionText } from '../../../src/alerts/conditionText';
import { isolated } from '../../../src/i18n/format';
import { showLanguage } from '../../../src/i18n/i18n';

beforeAll(() => showLanguage('en'));

const textOf = (condition: Condition) => {
  const alert: Alert = {
    condition,
    ...{ id: 7, code: 'EURUSD', name: 'EUR/USD', precision: 5, price: toPrice('0'), above: true },
    ...{ repeat: false, note: '', until: undefined, createdAt: toUnixMs(1) },
    ...{ triggeredAt: undefined, triggerPrice: toPrice('0') },
  };
  return conditionText(alert);
};

test.each([
  [70, '70'],
  [1e-10, '0.0000000001'],
  [-1.000000005, '-1.000000005'],
  [1e15, '1,000,000,000,000,000'],
  // Smaller than what an exact number can be.
  [5e-324, '0'],
])('the value %s of an indicator has all its digits', (level, text) => {
  const macd = { name: 'macd', settings: [12, 26, 9], output: 'histogram' } as const;
  const condition = { kind: 'indicator', ...macd, period: '5min', cross: 'any' } as const;
  expect(textOf({ ...condition, level, other: undefined })).toMatch(
    new RegExp(`(^|[^\\d.,-])${text}([^\\d.,]|$)`),
  );
});

test('so have a change and a margin level', () => {
  expect(textOf({ kind: 'percent', change: 1, window: 'day' })).toContain('+1.00%');
  expect(textOf({ kind: 'percent', change: -0.0625, window: 'day' })).toContain('-0.0625%');
  expect(textOf({ kind: 'margin', level: 150 })).toContain('150%');
  expect(textOf({ kind: 'margin', level: 100.125 })).toContain('100.125%');
});

test.each([
  ['en', 'Price crosses the trend line', '+1.00%', 'since the start of the day (UTC)'],
  ['cs', 'Cena protne trendovou linii', '+1,00\u00a0%', 'od začátku dne (UTC)'],
] as const)('a line and a change are sentences of %s', async (shown, line, change, since) => {
  await showLanguage(shown);
  const points = { t1: toUnixMs(1), p1: 1, t2: toUnixMs(2), p2: 2 };
  expect(textOf({ kind: 'line', ...points, scale: 'linear', extend: 'none' })).toBe(line);
  expect(textOf({ kind: 'percent', change: 1, window: 'day' })).toBe(
    `${isolated(change)} ${since}`,
  );
});
