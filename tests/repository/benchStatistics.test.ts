import { expect, it } from 'vitest';

const { quantileOf, quantileOfLists } = await import('../../bench/lib/statistics' as string);

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
