import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const { readBrowserResults } = await import('../../scripts/lib/browserResults.mjs' as string);

const spec = (title: string, status: string) => ({ title, file: 'a.spec.ts', tests: [{ status }] });

it('names the browser tests that failed, and those that passed only on a retry', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-report-'));
  const file = join(folder, 'report.json');
  const suites = [
    {
      title: 'a.spec.ts',
      file: 'a.spec.ts',
      specs: [spec('one', 'expected'), spec('two', 'flaky'), spec('four', 'skipped')],
      suites: [{ title: 'on a phone', file: 'a.spec.ts', specs: [spec('three', 'unexpected')] }],
    },
  ];
  const stats = { expected: 1, unexpected: 1, flaky: 1, skipped: 1 };
  writeFileSync(file, JSON.stringify({ suites, stats }));
  expect(readBrowserResults(file)).toEqual({
    passed: 1,
    failed: 1,
    retried: 1,
    skipped: 1,
    failedNames: ['a.spec.ts › on a phone › three'],
    retriedNames: ['a.spec.ts › two'],
    skippedNames: ['a.spec.ts › four'],
  });
  rmSync(folder, { recursive: true });
});

it('has no results without a report', () => {
  expect(readBrowserResults('/nonexistent.json')).toBeUndefined();
});
