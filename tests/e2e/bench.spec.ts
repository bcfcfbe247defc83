import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test } from '@playwright/test';

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

async function ended(child: ChildProcess): Promise<string> {
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  await once(child, 'close');
  return output;
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
  const out = mkdtempSync(join(tmpdir(), 'fulcrum-smoke-'));
  try {
    const child = spawn(process.execPath, ['scripts/bench.mjs', '--only', 'smoke', '--out', out], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CHROME_PATH: process.env['CHROME_PATH'] || chromium.executablePath() },
    });
    const output = await ended(child);
    const results = JSON.parse(readFileSync(join(out, 'render.json'), 'utf8')) as Results;
    // Each run verifies that every visible row shows the last value of the stream.
    expect(
      results.runs.flatMap(({ failure }) => failure ?? []),
      output,
    ).toEqual([]);
    expect(results.runs).toHaveLength(7);
    expect(results.runs.filter(({ contender }) => contender === 'REF nine')).toHaveLength(1);
    // The rate in sight is the same, so a cost per instrument would show as a factor of 500.
    expect(least(results, 'app', 10_000), output).toBeLessThan(2 * least(results, 'app', 20));
    expect(least(results, 'app', 20), output).toBeLessThan(2 * least(results, 'REF', 20));
    expect(results.bytes['app']?.page).toBeLessThanOrEqual(125_000);
    expect(results.bytes['app']?.worker).toBeLessThanOrEqual(45_000);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

test('a trace of the start is summed by thread and kind, and drawn', async () => {
  const out = mkdtempSync(join(tmpdir(), 'fulcrum-trace-'));
  try {
    const child = spawn(
      process.execPath,
      ['scripts/bench.mjs', '--trace', '--sections', 'start', '--quick', '--out', out],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          CHROME_PATH: process.env['CHROME_PATH'] || chromium.executablePath(),
        },
      },
    );
    const output = await ended(child);
    expect(child.exitCode, output).toBe(0);
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
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

test('devices of the network play the whole suite, each passes its gates, and each leaves a result', async () => {
  const out = mkdtempSync(join(tmpdir(), 'fulcrum-devices-'));
  try {
    const child = spawn(
      process.execPath,
      ['scripts/bench.mjs', '--devices', '--smoke', '--out', out],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          CHROME_PATH: process.env['CHROME_PATH'] || chromium.executablePath(),
        },
      },
    );
    const output = await ended(child);
    expect(child.exitCode, output).toBe(0);
    const files = readdirSync(join(out, 'devices')).sort();
    // Without root there is no quota, and the output says so.
    expect(files, output).toHaveLength(output.includes('No CPU quota') ? 1 : 2);
    for (const file of files) {
      const { played } = JSON.parse(readFileSync(join(out, 'devices', file), 'utf8')) as {
        played: { contender: string; scrolling: boolean; figures: Record<string, number | null> }[];
      };
      expect(played).toHaveLength(9);
      const app = played.find(({ contender, scrolling }) => contender === 'app' && !scrolling);
      expect(app?.figures['firstQuote'], output).toBeGreaterThan(0);
      expect(app?.figures['ageMedian'], output).toBeGreaterThan(0);
      // Nobody has tapped.
      expect(app?.figures['event95'], output).toBeNull();
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
