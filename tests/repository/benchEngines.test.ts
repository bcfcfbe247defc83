import { expect, it } from 'vitest';

const { loadEngines, resumedEngines } = await import(
  '../../bench/render/engines/results' as string
);
const { engineRows } = await import('../../bench/render/engines/tables' as string);
const { enginePage } = await import('../../bench/render/report/enginePage' as string);
const { fingerprint } = await import('../../bench/render/harness/manifest' as string);

const run = (contender: string, round: number, drawn: number) => ({
  contender,
  round,
  sample: { seconds: 6, drawn, late: 1, ages: [10, 20, 30], feedLate: 0 },
});

const results = (sources: Record<string, string>) => ({
  about: { at: '2026-11-29' },
  sources,
  engines: {
    firefox: {
      version: '1',
      rounds: [],
      lists: [
        run('REF', 0, 10),
        run('REF', 1, 20),
        run('solid', 0, 5),
        run('solid', 1, 10),
        // Without a pair in its round it is in no ratio.
        run('solid', 2, 40),
        { contender: 'solid', round: 3, failure: 'the gate' },
      ],
    },
  },
});

it('a list stands beside REF in the same engine and round', () => {
  const rows = engineRows(results({ solid: fingerprint('solid') }));
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(['REF', 'solid']);
  const [frames, ratio, late, age] = rows[1].figures;
  expect([frames.median, ratio.median, ratio.count]).toEqual([10, 0.5, 2]);
  expect([late.median, age.median]).toEqual([10, 20]);
  expect(rows[1].passed).toBe('3 of 4');
});

it('a list that was changed since has no figures', () => {
  const rows = engineRows(results({ solid: 'another' }));
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(['REF']);
});

it('a resumed file has no samples of what a list was, nor of another commit', () => {
  const now = { about: { at: '' }, sources: { solid: 'now' }, engines: {} };
  const names = (before: string) =>
    resumedEngines(results({ solid: before, vue: '1' }), now).engines.firefox.lists.map(
      ({ contender }: { contender: string }) => contender,
    );
  expect(new Set(names('now'))).toEqual(new Set(['REF', 'solid']));
  expect(new Set(names('before'))).toEqual(new Set(['REF']));
  const { sources } = resumedEngines(results({ solid: 'before', vue: '1' }), now);
  expect(sources).toEqual({ solid: 'now', vue: '1' });
  const other = { ...now, about: { commit: 'b' } };
  expect(() => resumedEngines(results({}), other)).toThrow('not of b');
});

it('the page has a filter and a part for engines only where lists were measured in them', () => {
  expect(enginePage(undefined)).toEqual({ filter: '', section: '' });
  const bare = { about: {}, engines: { firefox: { version: '1', rounds: [] } } };
  expect(enginePage(bare)).toEqual({ filter: '', section: '' });
  const { filter, section } = enginePage(results({}));
  expect(filter).toContain('<option>Firefox</option>');
  expect(section).toContain('data-engine="Firefox"');
});

it('reads the results that are committed', () => {
  const { engines } = loadEngines('bench/results/engines.json');
  expect(Object.keys(engines)).toContain('chromium');
});
