import { expect, it } from 'vitest';

const { nameOfItem, openItems } = await import('../../bench/render/harness/decided' as string);
const { MAIN } = await import('../../domain/workload/workload' as string);

/** Runs of the floor at 100 ms/s and of a contender, in pairs. */
function resultsOf(costs: readonly number[]) {
  const runs = costs.flatMap((cost, round) =>
    [
      ['REF', 100],
      ['mine', cost],
    ].map(([contender, ms]) => ({
      section: 'contenders',
      contender,
      workload: MAIN,
      round,
      sample: { cpu: { react: ms, whole: ms } },
    })),
  );
  return { about: {}, bytes: {}, runs };
}

const items = ['REF', 'mine'].map((contender) => ({ contender, workload: MAIN }));
const open = (costs: readonly number[], taken = new Map<string, number>(), floor?: string) =>
  openItems(resultsOf(costs), { floor, items }, taken).map(
    ({ contender }: { contender: string }) => contender,
  );

it('measures a pair until the interval of its ratio is narrow', () => {
  expect(open([120, 121, 120, 119], undefined, 'REF')).toEqual(['REF', 'mine']);
  expect(open([120, 121, 120, 119, 120], undefined, 'REF')).toEqual([]);
  expect(open([120, 180, 90, 150, 120], undefined, 'REF')).toEqual(['REF', 'mine']);
});

it('gives up after four minutes', () => {
  const taken = new Map([[nameOfItem(items[1]), 5 * 60_000]]);
  expect(open([120, 180], taken, 'REF')).toEqual([]);
});

it('runs every round of a section without a floor', () => {
  expect(open([120, 120, 120, 120, 120])).toEqual(['REF', 'mine']);
});
