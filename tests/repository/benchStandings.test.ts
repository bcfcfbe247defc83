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

it('the report has no figures of a contender whose source was another', () => {
  const row = /^\| solid \| 1\.00/m;
  expect(render(results({ solid: fingerprint('solid') }))).toMatch(row);
  expect(render(results({ solid: 'another' }))).not.toMatch(row);
  expect(render(results({}))).not.toMatch(row);
});

it('no figure is of two commits, or of two machines', () => {
  const run = (contender: string, cost: number, origin: object) => ({
    ...{ section: 'main', contender, workload: MAIN, round: 0, sample: sample(cost, 10) },
    ...origin,
  });
  const measured = (...runs: object[]) => {
    const { lists } = standings({ about: { commit: 'new', cpu: 'A' }, bytes: {}, runs });
    const app = lists.rows.find(({ name }: { name: string }) => name === 'app');
    return [app.cost, app.whole.count, app.whole.median];
  };
  const present = [run('REF', 10, {}), run('app', 20, { commit: 'new', cpu: 'A' })];
  for (const origin of [{ commit: 'old' }, { cpu: 'B' }]) {
    const former = [run('REF', 10, origin), run('app', 90, origin)];
    expect(measured(...former, ...present)).toEqual([20, 1, 2]);
    // Nor is one of two commits divided by the other.
    expect(measured(run('REF', 10, origin), run('app', 20, {}))).toEqual([20, 0, Number.NaN]);
  }
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
