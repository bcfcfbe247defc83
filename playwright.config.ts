import { defineConfig } from '@playwright/test';
import { launching } from './tests/e2e/engines/engine';

/** It measures speed: nothing may run beside it. */
const MEASURING = ['bench.spec.ts'];

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/helpers/usedData.ts',
  outputDir: 'tests/e2e/output',
  // Every file has its own server, data and browser. On two cores a test mostly waits.
  workers: 2,
  projects: [
    { name: 'screens', testIgnore: MEASURING },
    // `workers` limits this project only: `npm test` runs the two one after the other.
    { name: 'measuring', testMatch: MEASURING, workers: 1 },
    // scripts/upgradeFixtures.mjs runs it with another build.
    { name: 'upgrade-fixtures', testDir: 'tests/upgrade', testMatch: 'write.ts' },
  ],
  // A loaded machine is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  // npm test names what passes only so, and CI counts it as failed.
  retries: 1,
  use: {
    // scripts/test.mjs draws it. Chromium's other processes, and what a test computes itself, have it from the environment.
    ...(process.env.TZ ? { timezoneId: process.env.TZ } : {}),
    // It would answer requests that tests answer themselves; tests/e2e/offline.spec.ts allows it.
    serviceWorkers: 'block',
    // Traces cost CPU: only a failed test is traced, when it is repeated.
    trace: 'on-first-retry',
    ...launching(),
  },
});
