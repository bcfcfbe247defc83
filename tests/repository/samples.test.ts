import { afterEach, expect, it, vi } from 'vitest';

const COMMITS = 20;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** What twenty commits in a row draw, by `draw`. */
async function drawnBy(
  draw: (samples: typeof import('../helpers/samples')) => readonly string[],
): Promise<Set<string>> {
  vi.stubEnv('SOAK', '');
  vi.stubEnv('ALL', '');
  const drawn = new Set<string>();
  for (let commit = 800; commit < 800 + COMMITS; commit++) {
    vi.stubEnv('COMMIT', String(commit));
    vi.resetModules();
    for (const cell of draw(await import('../helpers/samples'))) drawn.add(cell);
  }
  return drawn;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

it.each([2, 3, 5, 6, 10, 20])(
  'twenty commits draw all cells of which each has one in %i',
  async (every) => {
    const cells = numbers(60);
    expect((await drawnBy(({ drawn }) => drawn(cells, every).map(String))).size).toBe(60);
  },
);

it.each([
  ['screens in languages', 4, 5],
  ['strings at calls', 3, 4],
  ['screens in views', 2, 3],
])('they draw all pairs of %s', async (_what, first, second) => {
  const pairs = await drawnBy(({ sampled }) =>
    numbers(18).flatMap((row) =>
      numbers(41)
        .filter((column) => sampled(row, first) && sampled(column + row, second))
        .map((column) => `${row} ${column}`),
    ),
  );
  expect(pairs.size).toBe(18 * 41);
});

it('they draw every test that takes turns, each on both databases', async () => {
  const names = numbers(40).map((index) => `test ${index}`);
  const drawn = await drawnBy(({ notItsTurn, sampled }) =>
    numbers(2).flatMap((database) =>
      names
        .filter((name) => sampled(database, 2) && notItsTurn(name) === undefined)
        .map((name) => `${name} ${database}`),
    ),
  );
  expect(drawn.size).toBe(80);
});

it('a cell that comes more seldom is refused', async () => {
  const { sampled } = await import('../helpers/samples');
  expect(() => sampled(0, 21)).toThrow('one of 21 comes too seldom');
});
