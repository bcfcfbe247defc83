import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './tree';

const { readBrowserResults } = await import('../../scripts/lib/testResults.mjs' as string);

it('without the servers of a cluster its browser tests are skipped, say why, and do not fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-bare-'));
  const report = join(folder, 'report.json');
  const { NODE_ENV, VITEST, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['node_modules/@playwright/test/cli.js', 'test', '--project=screens'],
      ...['--reporter=json', '--retries=0', 'mining.spec.ts'],
    ],
    {
      cwd: root,
      env: { ...environment, BARE: '1', E2E_CLUSTER: '1', PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
  const { passed, failedNames, skips } = readBrowserResults(report);
  expect({ passed, failedNames }).toEqual({ passed: 0, failedNames: [] });
  const reasons = skips.map(({ reason }: { reason: string }) => reason);
  expect(new Set(reasons)).toEqual(new Set(['not installed: NATS, PostgreSQL, HAProxy']));
  rmSync(folder, { recursive: true });
});
