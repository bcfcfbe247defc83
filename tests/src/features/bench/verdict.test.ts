import { beforeAll, expect, it } from 'vitest';
import type { Rung } from '#domain/workload/verdict';
import { verdict } from '../../../../src/features/speedTest/verdict';
import { showLanguage } from '../../../../src/i18n/i18n';

beforeAll(() => showLanguage('en'));

const ladder = (...lags: number[]): Rung[] =>
  lags.map((lag, index) => ({ rate: [100, 300, 1000][index] ?? 0, lag }));
const CORES = [
  { core: 1, ladder: ladder(20, 20, 20) },
  { core: 0.25, ladder: ladder(30, 49, 90) },
];

it('says what this device holds, and what the weakest reference does', () => {
  expect(verdict(ladder(20, 30, 50), CORES)).toBe(
    'This device holds 50 ms at 1,000 quotes a second. A quarter of a desktop core holds it at 300.',
  );
});

it('says that a device holds not even the lowest rate', () => {
  expect(verdict(ladder(51, 20, 20), CORES.slice(0, 1))).toBe(
    'This device does not hold 50 ms even at 100 quotes a second. One desktop core holds it at 1,000.',
  );
});

it('names no reference that holds nothing', () => {
  const failed = { core: 0.5, ladder: ladder(Number.POSITIVE_INFINITY) };
  expect(verdict(ladder(20), [failed])).toBe('This device holds 50 ms at 100 quotes a second.');
});
