import { expect, it, vi } from 'vitest';

const { quantileOf, quantileOfLists } = await import('../../bench/lib/statistics' as string);
const { FAILED, failuresIn, ratioText } = await import(
  '../../bench/render/interactions/figures' as string
);
const { trueTime } = await import('../../bench/lib/measure' as string);

it('a quantile of chosen lists is that of their values together', () => {
  const lists = [[3, 1, 2], [10, 20], [5, 5, 5, 7], []];
  for (const share of [0, 0.5, 0.95, 1]) {
    const quantile = quantileOfLists(lists, share);
    for (const chosen of [[0], [1, 1, 2], [2, 0, 3], [0, 1, 2, 3], [3], []]) {
      const values = chosen.flatMap((index) => lists[index] ?? []);
      expect(quantile(chosen)).toBe(quantileOf(values, share));
    }
  }
});

it('an interaction that failed is the slowest, and none is lost', () => {
  const all = [
    ...Array.from({ length: 391 }, () => 50),
    ...Array.from({ length: 9 }, () => FAILED),
  ];
  expect(quantileOf(all, 0.98)).toBe(FAILED);
  expect(failuresIn(all)).toBe(9);
  expect(JSON.stringify([50, FAILED])).toBe('[50,null]');
});

it('the interval of a ratio has the scatter of both sides', () => {
  expect(ratioText([40, 40, 40, 40, 40], [20, 20, 20, 20, 20])).toBe('2.00 (2.00 to 2.00)');
  expect(ratioText([40, 40, 40, 40, 40], [10, 20, 20, 20, 40])).toBe('2.00 (1.00 to 4.00)');
});

it('a file of results names the true time, whatever clock the program has', () => {
  vi.stubEnv('CLOCK_SHIFT_SECONDS', '-864000');
  expect(trueTime(Date.UTC(2026, 10, 18, 15))).toBe('2026-11-28T15:00:00.000Z');
  vi.unstubAllEnvs();
  expect(trueTime(Date.UTC(2026, 10, 18, 15))).toBe('2026-11-18T15:00:00.000Z');
});
