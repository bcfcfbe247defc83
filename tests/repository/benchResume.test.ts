import { expect, it } from 'vitest';

const { choose } = await import('../../bench/render/harness/choose' as string);
const { resumed, roundsToAdd } = await import('../../bench/render/harness/resume' as string);
const { MAIN } = await import('../../domain/workload/workload' as string);

const ABOUT = { cpu: 'A', browser: 'B', commit: 'C', at: '2026-11-30' };
const run = (contender: string, round: number, failure?: string) => ({
  ...{ section: 'contenders', contender, workload: MAIN, round },
  ...(failure ? { failure } : { sample: {} }),
});
const sectionOf = (name: string, ...contenders: string[]) => ({
  name,
  items: contenders.map((contender) => ({ contender, workload: MAIN })),
});

it('a resumed file has the contenders of now, without the runs of what they were', () => {
  const runs = [run('REF', 0), run('REF, again', 0), run('solid', 0), run('vue', 0), run('lit', 0)];
  const versions = { lit: '1', solid: '1' };
  const before = { about: ABOUT, bytes: {}, versions, sources: { solid: '1', vue: '1' }, runs };
  const now = {
    about: { ...ABOUT, at: '2026-12-01' },
    bytes: { mine: { page: 1, worker: 0 } },
    versions: { lit: '2', solid: '1' },
    sources: { solid: '1', vue: '2', mine: '1' },
    runs: [],
  };
  expect(resumed(before, now)).toEqual({ ...now, about: ABOUT, runs: runs.slice(0, 3) });
});

it.each(['cpu', 'browser', 'commit'])('nothing is added to samples of another %s', (what) => {
  const results = { about: ABOUT, bytes: {}, runs: [] };
  const other = { ...results, about: { ...ABOUT, [what]: 'another' } };
  expect(() => resumed(other, results)).toThrow(`${what} another, not of ${ABOUT[what as 'cpu']}`);
});

it('pairs that are added are of one session: the floor runs again beside a new contender', () => {
  const runs = [0, 1, 2].flatMap((round) => [run('REF', round), run('app', round)]);
  const rounds = (most: number, ...contenders: string[]) =>
    roundsToAdd({ runs }, sectionOf('contenders', ...contenders), most);
  expect(rounds(5, 'REF', 'app', 'mine')).toEqual({ first: 3, end: 8 });
  expect(rounds(5, 'REF', 'app')).toEqual({ first: 3, end: 5 });
  expect(rounds(3, 'REF', 'app')).toEqual({ first: 3, end: 3 });
  expect(roundsToAdd({ runs }, sectionOf('start', 'app'), 5)).toEqual({ first: 0, end: 5 });
  // A round that was interrupted, or failed, is not completed.
  runs.push(run('REF', 3), run('app', 3, 'gate'));
  expect(rounds(5, 'REF', 'app')).toEqual({ first: 4, end: 6 });
});

it('refuses a name that would measure nothing', () => {
  const plan = [sectionOf('start', 'app', 'REF'), sectionOf('trade', 'REF trade', 'app, chart')];
  const chosen = (names?: string[], contenders?: string[]) =>
    choose(plan, names, contenders).map(
      ({ name, items }: { name: string; items: unknown[] }) => `${name} ${items.length}`,
    );
  expect(chosen()).toEqual(['start 2', 'trade 2']);
  expect(chosen(['trade'])).toEqual(['trade 2']);
  expect(chosen(undefined, ['app'])).toEqual(['start 1']);
  expect(chosen(['start', 'trade'], ['app', 'REF trade'])).toEqual(['start 1', 'trade 1']);
  expect(() => chosen(['start', 'trades'])).toThrow('No section trades. There are: start, trade.');
  expect(() => chosen(undefined, ['app', 'REFF'])).toThrow('No contender REFF in these sections.');
  expect(() => chosen(['start'], ['app', 'REF trade'])).toThrow('No contender REF trade');
  expect(() => chosen(['start', 'trade'], ['app'])).toThrow(/None of these .* section trade/);
});
