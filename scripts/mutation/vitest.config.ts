import { defineConfig } from 'vitest/config';

/** The tests that see whether a mutant lives, in one project: Stryker names the files of it. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    globalSetup: ['tests/helpers/temporary.ts', 'tests/server/prepare.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    isolate: false,
  },
});
