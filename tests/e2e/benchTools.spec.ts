import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { DEVICE_PLAN } from '#domain/workload/devicePlan';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { bench } from './helpers/benchProgram';

test('a trace of the start is summed by thread and kind, and drawn', async () => {
  const args = ['--trace', '--sections', 'start', '--quick'];
  await bench(args, (out, output, exitCode) => {
    expect(exitCode, output).toBe(0);
    const { scenarios } = JSON.parse(readFileSync(join(out, 'trace.json'), 'utf8')) as {
      scenarios: {
        runs: { contender: string; roles: Record<string, Record<string, number>> }[];
      }[];
    };
    const runs = scenarios.flatMap((scenario) => scenario.runs);
    expect(runs.map(({ contender }) => contender)).toEqual(['app', 'REF']);
    for (const { contender, roles } of runs) {
      for (const kind of ['script', 'parse and compile', 'style', 'layout', 'paint', 'compositing'])
        expect(roles['react']?.[kind], `${contender}: ${kind}`).toBeGreaterThan(0);
      for (const kind of ['script', 'messages'])
        expect(roles['worker']?.[kind], `${contender}: ${kind}`).toBeGreaterThan(0);
      expect(roles['network']?.['messages'], contender).toBeGreaterThan(0);
    }
    expect(readFileSync(join(out, 'trace-start.svg'), 'utf8')).toContain('page thread: app ');
  });
});

// bench.spec.ts has the gates of the same pages, and tests/repository/devices.test.ts what the devices tell.
test('devices of the network play the whole suite, each passes its gates, and each leaves results that the command line reads', async () => {
  await bench(['--devices', '--smoke'], (out, output, exitCode) => {
    expect(exitCode, output).toBe(0);
    expect(output).toContain('This device holds 50 ms');
    const files = readdirSync(join(out, 'devices')).sort();
    // Without root there is no quota, and the output says so.
    expect(files, output).toHaveLength(output.includes('No CPU quota') ? 1 : 2);
    for (const file of files) {
      const { runs } = JSON.parse(
        readFileSync(join(out, 'devices', file), 'utf8'),
      ) as DeviceResults;
      expect(runs).toHaveLength(2 * DEVICE_PLAN.length);
      const [first] = runs.filter(({ contender }) => contender === 'app');
      expect(first?.sample?.firstQuote, output).toBeGreaterThan(0);
      const busiest = runs.find(
        ({ contender, workload }) => contender === 'app' && workload.rate === 3000,
      );
      expect(busiest?.sample?.ages.length, output).toBeGreaterThan(0);
      const typed = runs.filter(({ workload }) => workload.hand === 'typing');
      for (const { contender, sample } of typed)
        expect(sample?.inputDelays.length, contender).toBeGreaterThan(0);
    }
  });
});
