import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { bench } from './helpers/benchProgram';

interface Run {
  contender: string;
  workload: { n: number };
  failure?: string;
  sample?: { cpu: { react: number } };
}

interface Results {
  bytes: Record<string, { page: number; worker: number }>;
  runs: Run[];
}

/** The limit of a budget of the build (.size-limit.mjs), bytes. */
function budget(name: string): number {
  const args = ['node_modules/size-limit/bin.js', '--json'];
  const budgets = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
    name: string;
    sizeLimit: number;
  }[];
  return budgets.find((each) => each.name.startsWith(name))?.sizeLimit ?? Number.NaN;
}

/** The smallest value, because a busy machine only adds to it. */
function least({ runs }: Results, contender: string, n: number): number {
  return Math.min(
    ...runs
      .filter((run) => run.contender === contender && run.workload.n === n)
      .map(({ sample }) => sample?.cpu.react ?? Number.POSITIVE_INFINITY),
  );
}

test('the render benchmark passes its gates, and ten thousand instruments cost as much as twenty', async () => {
  await bench(['--only', 'smoke'], (out, output) => {
    const results = JSON.parse(readFileSync(join(out, 'render.json'), 'utf8')) as Results;
    // Each run verifies that every visible row shows the last value of the stream.
    expect(
      results.runs.flatMap(({ failure }) => failure ?? []),
      output,
    ).toEqual([]);
    expect(results.runs).toHaveLength(8);
    expect(results.runs.filter(({ contender }) => / nine$/.test(contender))).toHaveLength(2);
    // The rate in sight is the same, so a cost per instrument would show as a factor of 500.
    expect(least(results, 'app', 10_000), output).toBeLessThan(2 * least(results, 'app', 20));
    expect(least(results, 'app', 20), output).toBeLessThan(2 * least(results, 'REF', 20));
    const { page, worker } = results.bytes['app'] ?? {};
    expect(page).toBeLessThanOrEqual(budget('JavaScript of the page'));
    expect(worker).toBeLessThanOrEqual(
      budget('The worker until it has') + budget('What the worker fetches the list with'),
    );
  });
});
