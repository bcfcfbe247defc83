import { expect, it } from 'vitest';

const { fingerprint } = await import('../../bench/render/harness/manifest' as string);
const { MAIN } = await import('../../domain/workload/workload' as string);
const { standings } = await import('../../bench/render/report/standings' as string);

const { render } = await import('../../bench/render/report/text' as string);

const sample = (cost: number, drawn: number) => ({
  cpu: { react: cost, worker: 0, whole: cost },
  ages: [],
  drawn,
  inputDelays: [],
  watched: 1,
  memory: { page: 0, worker: 0 },
});

function results(sources: Record<string, string>, frames = 10) {
  const runs = ['REF', 'solid', 'app'].map((contender) => ({
    section: 'contenders',
    contender,
    workload: MAIN,
    round: 0,
    sample: sample(10, contender === 'solid' ? frames : 10),
  }));
  return { about: {}, bytes: {}, sources, runs };
}

const ranked = (sources: Record<string, string>) =>
  standings(results(sources)).lists.rows.map(({ name }: { name: string }) => name);

it('a contender has figures only while its source is what was measured', () => {
  expect(ranked({ solid: fingerprint('solid') })).toEqual(['app', 'REF', 'solid']);
  expect(ranked({ solid: 'another' })).toEqual(['app', 'REF']);
  expect(ranked({})).toEqual(['app', 'REF']);
});

it('marks the ratios of a contender that draws more or fewer frames, and shows what one costs', () => {
  const sources = { solid: fingerprint('solid') };
  const solid = (frames: number) =>
    standings(results(sources, frames)).lists.rows.find(
      ({ name }: { name: string }) => name === 'solid',
    );
  expect(solid(9)).toMatchObject({ unlike: '', frame: 10 / 9 });
  expect(solid(5)).toMatchObject({ unlike: '\\*', frame: 2 });
  const said = /\\\* One of the two draws over a fifth more or fewer frames/;
  expect(render(results(sources, 5))).toMatch(said);
  expect(render(results(sources, 5))).toMatch(/^\| solid \| 1\.00\\\* \| 1\.00\\\* \|.* 2\.00 \|/m);
  expect(render(results(sources, 9))).not.toMatch(said);
});
