// Reads the JSON reports of vitest and Playwright into one form:
//   { passed, failed, failedNames, retriedNames, skips: [{ name, reason }], durations: [{ name, seconds }] }
// A name is "file › suite › test".
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** `unless` of tests/helpers/installed.ts writes the reason into the name. */
const SKIPPED = / ?\[skipped: (.*?)\]/;

/** The results of the unit tests below `root`; undefined where there is no report. */
export function readUnitResults(file, root) {
  const report = readJson(file);
  if (!report) return undefined;
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({
      ...test,
      name: [relative(root, name).replaceAll('\\', '/'), ...test.ancestorTitles, test.title].join(
        ' › ',
      ),
    })),
  );
  // A file that can't be loaded, or whose set-up fails, has no failed test.
  const brokenFiles = report.testResults
    .filter(({ status }) => status === 'failed')
    .filter((each) => each.assertionResults.every(({ status }) => status !== 'failed'));
  const failedNames = [
    ...tests.filter(({ status }) => status === 'failed').map(({ name }) => name),
    ...brokenFiles.map(({ name }) => relative(root, name)),
  ];
  return {
    passed: report.numPassedTests,
    failed: failedNames.length,
    failedNames,
    retriedNames: [],
    skips: tests
      .filter(({ status }) => ['pending', 'skipped', 'todo'].includes(status))
      .map(({ name }) => ({
        name: name.replace(SKIPPED, ''),
        reason: SKIPPED.exec(name)?.[1] ?? '',
      })),
    durations: tests.map(({ name, duration }) => ({ name, seconds: (duration ?? 0) / 1000 })),
  };
}

/** The results of browser tests; undefined where there is no report. */
export function readBrowserResults(file) {
  const report = readJson(file);
  if (!report) return undefined;
  const tests = [...specsOf(report.suites)];
  const named = (outcome) =>
    tests.filter(({ status }) => status === outcome).map(({ name }) => name);
  // What fails outside of tests: a file that can't be loaded, or the set-up of the run.
  const errors = (report.errors ?? []).map(
    ({ message = '', location }) => `${location?.file ?? 'the run'}: ${message.split('\n')[0]}`,
  );
  const failedNames = [...named('unexpected'), ...errors];
  return {
    passed: report.stats?.expected ?? 0,
    failed: failedNames.length,
    failedNames,
    retriedNames: named('flaky'),
    skips: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ name, reason }) => ({ name, reason })),
    durations: tests.map(({ name, seconds }) => ({ name, seconds })),
  };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function* specsOf(suites, titles = []) {
  for (const { title, file, specs = [], suites: inner = [] } of suites ?? []) {
    const path = title === file ? titles : [...titles, title];
    for (const { title: spec, tests = [] } of specs) {
      for (const { status, results = [], annotations = [] } of tests) {
        const [skip] = [
          ...annotations,
          ...results.flatMap((each) => each.annotations ?? []),
        ].filter(({ type }) => type === 'skip');
        yield {
          name: [file, ...path, spec].join(' › '),
          status,
          reason: skip?.description ?? '',
          seconds: results.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000,
        };
      }
    }
    yield* specsOf(inner, path);
  }
}
