import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLUSTER, missing, onlyInSoak } from '../../helpers/installed';
import { addUp, largeCountInPieces, tally } from '../../helpers/samples';
import { unless } from '../../helpers/unless';

/** Run side by side by two browsers. */
const OF_PIECE = 6;

interface Results {
  passed: number;
  failedNames: string[];
  skips: { name: string }[];
}

/** The one that measures speed is left out: a cluster on one machine is not what it measures. */
const files = readdirSync('tests/e2e')
  .filter((file) => /(?<!bench)\.spec\.ts$/.test(file))
  .sort();

// `npm test` runs one of these files against a cluster (scripts/test.mjs).
unless(describe, onlyInSoak ?? missing(...CLUSTER))('the browser tests', () => {
  it('pass against a cluster', { timeout: 3_600_000 }, async () => {
    await largeCountInPieces<Results>(
      'files of browser tests against a cluster',
      files.length,
      OF_PIECE,
      async ({ from, count }) => {
        const results = await runBrowser(files.slice(from, from + count));
        expect(results.failedNames).toEqual([]);
        return results;
      },
      (all) => {
        const passed = all.reduce((sum, each) => sum + each.passed, 0);
        const skipped = countBy(all.flatMap(({ skips }) => skips.map(({ name }) => fileOf(name))));
        return `${passed} tests passed; skipped, most as a replay stays in one process: ${tally(skipped)}`;
      },
    );
  });
});

function fileOf(name: string): string {
  return name.replace(/ ›.*/, '');
}

function countBy(names: readonly string[]): Record<string, number> {
  return addUp(names.map((name) => ({ [name]: 1 })));
}

async function runBrowser(of: readonly string[]): Promise<Results> {
  const { ensureHeadless } = await import('../../../scripts/lib/chromium.mjs' as string);
  const { readBrowserResults } = await import('../../../scripts/lib/testResults.mjs' as string);
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-browsers-'));
  try {
    const report = join(folder, 'report.json');
    // The samples of `npm test`: as large counts they are lines of their own. Servers are those of users.
    const { SOAK, SOAK_LINES, SOAK_PIECES, NODE_ENV, VITEST, ...environment } = process.env;
    const options = ['--project=screens', '--retries=0', '--reporter=list,json', '--workers=2'];
    const run = spawn(
      'node_modules/.bin/playwright',
      ['test', ...options, ...of.map((file) => `/${file}`)],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          ...environment,
          E2E_CLUSTER: '1',
          CHROME_PATH: ensureHeadless(),
          PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        },
      },
    );
    await once(run, 'exit');
    const results: Results | undefined = readBrowserResults(report);
    if (!results) throw new Error(`${of.join()} did not run`);
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
