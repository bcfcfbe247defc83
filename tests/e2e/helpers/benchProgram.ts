import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

/** Runs `npm run bench` with its results in a temporary directory, which is there while `read` runs. */
export async function bench(
  args: readonly string[],
  read: (out: string, output: string, exitCode: number | null) => void,
): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'fulcrum-bench-'));
  try {
    const child = spawn(process.execPath, ['scripts/bench.mjs', ...args, '--out', out], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CHROME_PATH: process.env['CHROME_PATH'] || chromium.executablePath() },
    });
    let output = '';
    const note = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    await once(child, 'close');
    read(out, output, child.exitCode);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
