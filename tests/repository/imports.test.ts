import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './tree';

/** A file, what it imports, and whether biome.imports.jsonc forbids that. */
type Plant = readonly [file: string, specifier: string, verdict: 'forbidden' | 'allowed'];

const PLANTS: readonly Plant[] = [
  ['domain/core/a.ts', './b', 'allowed'],
  ['domain/core/a.ts', 'react', 'forbidden'],
  ['domain/core/a.ts', 'node:fs', 'forbidden'],
  ['domain/core/a.ts', '#locales/en', 'forbidden'],
  ['domain/core/a.ts', '../market/b', 'forbidden'],
  ['domain/core/a.ts', '../../server/b', 'forbidden'],
  ['domain/core/a.ts', '../../domain/market/b', 'forbidden'],
  ['domain/market/a.ts', '../core/b', 'allowed'],
  ['domain/market/a.ts', '../trading/b', 'forbidden'],
  ['domain/trading/a.ts', '../market/b', 'allowed'],
  ['domain/trading/a.ts', '../api/b', 'forbidden'],
  ['domain/trading/a.ts', '../worker/b', 'forbidden'],
  ['domain/trading/a.ts', '../wallet/b', 'forbidden'],
  ['domain/indicators/a.ts', '../market/b', 'allowed'],
  ['domain/indicators/a.ts', 'trading-signals', 'allowed'],
  ['domain/indicators/a.ts', '../trading/b', 'forbidden'],
  ['domain/market/a.ts', 'trading-signals', 'forbidden'],
  ['domain/account/a.ts', '../wallet/b', 'forbidden'],
  ['domain/account/a.ts', '../worker/b', 'forbidden'],
  ['domain/wallet/a.ts', '../trading/b', 'allowed'],
  ['domain/wallet/a.ts', '../account/b', 'forbidden'],
  ['domain/wallet/a.ts', '../mining/b', 'forbidden'],
  ['domain/mining/a.ts', '../trading/b', 'allowed'],
  ['domain/mining/a.ts', '../wallet/b', 'forbidden'],
  ['domain/api/a.ts', '../wallet/b', 'allowed'],
  ['domain/api/a.ts', '../worker/b', 'forbidden'],
  ['domain/worker/a.ts', '../api/b', 'allowed'],
  ['domain/worker/a.ts', '../workload/b', 'forbidden'],
  ['domain/workload/a.ts', '../worker/b', 'allowed'],
  ['domain/workload/a.ts', '../trading/b', 'forbidden'],
  ['domain/newRoom/a.ts', '../core/b', 'forbidden'],

  ['workers/market/a.ts', '#domain/market/kline', 'allowed'],
  ['workers/market/a.ts', '../trading/b', 'allowed'],
  ['workers/market/a.ts', 'axios', 'allowed'],
  ['workers/market/a.ts', '../../server/market/b', 'forbidden'],
  ['workers/market/a.ts', '../../src/ui/b', 'forbidden'],
  ['workers/market/a.ts', '#locales/en', 'forbidden'],
  ['workers/trading/a.ts', '../pricing/b', 'allowed'],
  ['workers/pricing/a.ts', '../market/b', 'allowed'],
  ['workers/pricing/a.ts', '#domain/trading/margin', 'allowed'],
  ['workers/pricing/a.ts', '../trading/b', 'forbidden'],
  ['workers/pricing/a.ts', '../../server/market/b', 'forbidden'],
  ['workers/pricing/a.ts', '#locales/en', 'forbidden'],

  ['server/market/a.ts', '#domain/market/kline', 'allowed'],
  ['server/market/a.ts', '#locales/en', 'allowed'],
  ['server/market/a.ts', '../../workers/http/b', 'forbidden'],
  ['server/market/a.ts', '../../src/i18n/b', 'forbidden'],
  ['server/a.ts', '../src/i18n/b', 'forbidden'],

  ['src/main.tsx', './app/mount', 'allowed'],
  ['src/main.tsx', '../workers/workerApi', 'forbidden'],
  ['src/app/a.tsx', '../features/news/b', 'allowed'],
  ['src/app/a.tsx', '../../server/b', 'forbidden'],
  ['src/positions/a.tsx', '../ui/b', 'allowed'],
  ['src/positions/a.tsx', '../worker/b', 'allowed'],
  ['src/positions/a.tsx', '#locales/en', 'allowed'],
  ['src/positions/a.tsx', '../features/trading/b', 'forbidden'],
  ['src/positions/a.tsx', '../app/b', 'forbidden'],
  ['src/positions/a.tsx', '../../workers/b', 'forbidden'],
  ['src/ui/a.tsx', '../i18n/b', 'allowed'],
  ['src/ui/a.tsx', '../worker/b', 'forbidden'],
  ['src/ui/a.tsx', '../preferences/b', 'forbidden'],
  ['src/ui/a.tsx', '../app/b', 'forbidden'],
  ['src/ui/a.tsx', '../features/news/b', 'forbidden'],
  ['src/ui/a.tsx', '../../workers/b', 'forbidden'],
  ['src/features/news/a.tsx', './b', 'allowed'],
  ['src/features/news/a.tsx', './parts/b', 'allowed'],
  ['src/features/news/a.tsx', '../../ui/b', 'allowed'],
  ['src/features/news/a.tsx', '../wallet/b', 'forbidden'],
  ['src/features/news/a.tsx', '../../features/wallet/b', 'forbidden'],
  ['src/features/news/a.tsx', '../../app/b', 'forbidden'],
  ['src/features/news/a.tsx', '../../../server/b', 'forbidden'],
  ['src/features/news/parts/a.tsx', '../b', 'allowed'],
  ['src/features/news/parts/a.tsx', '../others/b', 'allowed'],
  ['src/features/news/parts/a.tsx', '../../../ui/b', 'allowed'],
  ['src/features/news/parts/a.tsx', '../../wallet/b', 'forbidden'],
  ['src/features/news/parts/a.tsx', '../../../features/wallet/b', 'forbidden'],
  ['src/features/news/parts/a.tsx', '../../../app/b', 'forbidden'],
  ['src/features/news/parts/a.tsx', '../../../../workers/b', 'forbidden'],
  ['src/features/news/parts/more/a.tsx', '../../b', 'allowed'],
  ['src/features/news/parts/more/a.tsx', '../../others/b', 'allowed'],
  ['src/features/news/parts/more/a.tsx', '../../../../ui/b', 'allowed'],
  ['src/features/news/parts/more/a.tsx', '../../../wallet/b', 'forbidden'],
  ['src/features/news/parts/more/a.tsx', '../../../../features/wallet/b', 'forbidden'],
  ['src/features/news/parts/more/a.tsx', '../../../../app/b', 'forbidden'],
  ['src/features/news/parts/more/a.tsx', '../../../../../workers/b', 'forbidden'],
  ['src/features/news/parts/more/deep/a.tsx', './b', 'forbidden'],
];

/** Files that import each other: values, types only, by `import()`, and one that only leads to a cycle. */
const CYCLES = {
  'workers/values/a.ts': "import { b } from './b';\nexport const a = () => b;\n",
  'workers/values/b.ts': "import { a } from './a';\nexport const b = () => a;\n",
  'workers/types/a.ts': "import type { B } from './b';\nexport type A = B | 1;\n",
  'workers/types/b.ts': "import type { A } from './a';\nexport type B = A[];\n",
  'workers/dynamic/a.ts': "export const a = () => import('./b');\n",
  'workers/dynamic/b.ts': "import { a } from './a';\nexport const b = () => a;\n",
  'workers/three/a.ts': "import { b } from './b';\nexport const a = () => b;\n",
  'workers/three/b.ts': "import { c } from './c';\nexport const b = () => c;\n",
  'workers/three/c.ts': "import { a } from './a';\nexport const c = () => a;\n",
  'workers/three/d.ts': "import { a } from './a';\nexport const d = () => a;\n",
};
const IN_A_CYCLE = Object.keys(CYCLES).filter((file) => !file.endsWith('d.ts'));

interface Diagnostic {
  category: string;
  location: { path: string; start: { line: number } };
}

function lint(cwd: string): Diagnostic[] {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json', '.'];
  const { stdout } = spawnSync(process.execPath, [biome, ...args], { cwd, encoding: 'utf8' });
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}

let folder = '';
let diagnostics: Diagnostic[] = [];

/** The planted imports of a file, one a line, in the order of the lines. */
const plantsOf = (file: string) => PLANTS.filter(([name]) => name === file);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fulcrum-imports-'));
  for (const name of ['biome.json', 'biome.imports.jsonc', 'package.json']) {
    cpSync(join(root, name), join(folder, name));
  }
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const [file] of PLANTS) {
    write(
      file,
      plantsOf(file)
        .map(([, specifier]) => `import '${specifier}';\n`)
        .join(''),
    );
  }
  for (const [file, text] of Object.entries(CYCLES)) write(file, text);
  diagnostics = lint(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('directions of import (biome.imports.jsonc)', () => {
  it.each(PLANTS)('%s: %s is %s', (file, specifier, verdict) => {
    const line = plantsOf(file).findIndex(([, planted]) => planted === specifier) + 1;
    const found = diagnostics.some(
      ({ category, location }) =>
        category === 'lint/style/noRestrictedImports' &&
        location.path === file &&
        location.start.line === line,
    );
    expect(found ? 'forbidden' : 'allowed').toBe(verdict);
  });
});

describe('import cycles', () => {
  it('are found in every form, and only there', () => {
    const found = diagnostics
      .filter(({ category }) => category === 'lint/suspicious/noImportCycles')
      .map(({ location }) => location.path);
    expect([...new Set(found)].sort()).toEqual(IN_A_CYCLE.sort());
  });
});
