import { readFileSync } from 'node:fs';

/**
 * Reads the JSON report of a Playwright run: counts, and the tests that were skipped or did not
 * pass at the first attempt, as "file › title". Undefined where there is no report.
 */
export function readBrowserResults(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  const named = (outcome) =>
    [...specsOf(report.suites)]
      .filter(({ tests }) => tests.some(({ status }) => status === outcome))
      .map(({ file, name }) => `${file} › ${name}`);
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report.stats ?? {};
  return {
    passed: expected,
    failed: unexpected,
    retried: flaky,
    skipped,
    failedNames: named('unexpected'),
    retriedNames: named('flaky'),
    skippedNames: named('skipped'),
  };
}

function* specsOf(suites, titles = []) {
  for (const { title, file, specs = [], suites: inner = [] } of suites ?? []) {
    const path = title === file ? titles : [...titles, title];
    for (const spec of specs) yield { ...spec, name: [...path, spec.title].join(' › ') };
    yield* specsOf(inner, path);
  }
}
