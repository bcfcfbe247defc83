import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const { readBrowserResults, readUnitResults } = await import(
  '../../scripts/lib/testResults.mjs' as string
);

const folder = mkdtempSync(join(tmpdir(), 'fulcrum-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

function reportOf(content: object): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

it('names the browser tests that failed, passed only on a retry, or were skipped for a reason', () => {
  const skip = { type: 'skip', description: 'not installed: NATS' };
  const spec = (title: string, status: string, annotations: object[] = []) => ({
    title,
    tests: [{ status, annotations, results: [{ duration: 1500 }] }],
  });
  const suites = [
    {
      title: 'a.spec.ts',
      file: 'a.spec.ts',
      specs: [spec('one', 'expected'), spec('two', 'flaky'), spec('four', 'skipped', [skip])],
      suites: [{ title: 'on a phone', file: 'a.spec.ts', specs: [spec('three', 'unexpected')] }],
    },
  ];
  const results = readBrowserResults(reportOf({ suites, stats: { expected: 1 } }));
  expect(results).toMatchObject({
    passed: 1,
    failedNames: ['a.spec.ts › on a phone › three'],
    retriedNames: ['a.spec.ts › two'],
    skips: [{ name: 'a.spec.ts › four', reason: 'not installed: NATS' }],
  });
  expect(results.durations[0]).toEqual({ name: 'a.spec.ts › one', seconds: 1.5 });
});

it('takes an error outside of the browser tests as a failure', () => {
  const errors = [{ message: 'no such module\n at a', location: { file: 'b.spec.ts' } }];
  const { failedNames } = readBrowserResults(reportOf({ suites: [], errors }));
  expect(failedNames).toEqual(['b.spec.ts: no such module']);
});

it('names the unit tests that failed or were skipped, with the reason that their name has', () => {
  const test = (title: string, status: string, suite = 'a suite') => ({
    title,
    status,
    ancestorTitles: [suite],
    duration: 250,
  });
  const results = readUnitResults(
    reportOf({
      numPassedTests: 1,
      testResults: [
        {
          name: '/root/tests/a.test.ts',
          status: 'failed',
          assertionResults: [
            test('one', 'passed'),
            test('two', 'failed'),
            test('three', 'skipped', 'a suite [skipped: not installed: NATS]'),
          ],
        },
        { name: '/root/tests/b.test.ts', status: 'failed', assertionResults: [] },
      ],
    }),
    '/root',
  );
  expect(results).toMatchObject({
    passed: 1,
    failedNames: ['tests/a.test.ts › a suite › two', 'tests/b.test.ts'],
    skips: [{ name: 'tests/a.test.ts › a suite › three', reason: 'not installed: NATS' }],
  });
  expect(results.durations[0]).toEqual({ name: 'tests/a.test.ts › a suite › one', seconds: 0.25 });
});

it('has no results without a report', () => {
  expect(readBrowserResults('/nonexistent.json')).toBeUndefined();
  expect(readUnitResults('/nonexistent.json', '/')).toBeUndefined();
});
