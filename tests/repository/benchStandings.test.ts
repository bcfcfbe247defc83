import { expect, it } from 'vitest';

const { fingerprint } = await import('../../bench/render/harness/manifest' as string);
const { MAIN } = await import('../../domain/workload/workload' as string);
const { standings } = await import('../../bench/render/report/standings' as string);

const sample = (cost: number) => ({
  cpu: { react: cost, worker: 0, whole: cost },
  ages: [],
});

function results(sources: Record<string, string>) {
  const runs = ['REF', 'solid'].map((contender) => ({
    section: 'contenders',
    contender,
    workload: MAIN,
    round: 0,
    sample: sample(10),
  }));
  return { about: {}, bytes: {}, sources, runs };
}

const ranked = (sources: Record<string, string>) =>
  standings(results(sources)).lists.rows.map(({ name }: { name: string }) => name);

it('a contender has figures only while its source is what was measured', () => {
  expect(ranked({ solid: fingerprint('solid') })).toEqual(['REF', 'solid']);
  expect(ranked({ solid: 'another' })).toEqual(['REF']);
  expect(ranked({})).toEqual(['REF']);
});
