import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-out-'));
  file = join(folder, 'file');
  writeFileSync(file, 'kept');
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([[[]], [['there', 'missing']], [['missing']], [['there', 'there', 'there']]])(
  '--compare refuses %j',
  (names) => {
    const files = names.map((name) => (name === 'there' ? file : join(folder, name)));
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/bench.mjs', '--compare', ...files],
      { encoding: 'utf8' },
    );
    expect(stderr).toMatch(/^--compare needs one or two files of results\./);
    expect(status).toBe(2);
  },
);

it.each(['', '/below'])('the benchmarks refuse --out at a file%s in one line', (below) => {
  const out = `${file}${below}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/bench.mjs', '--quick', '--out', out],
    { encoding: 'utf8' },
  );
  expect(stderr).toMatch(/^--out takes a folder, and .* cannot be one \(E[A-Z]+\)\.\n$/);
  expect(stderr).toContain(out);
  expect([status, stdout]).toEqual([2, '']);
  expect(readFileSync(file, 'utf8')).toBe('kept');
});
