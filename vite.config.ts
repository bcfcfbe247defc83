import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import 'vitest/config';
import { TARGET } from './scripts/lib/browsers.mjs';
import {
  bootInPage,
  chunksByScreen,
  cssModuleName,
  noticeInPage,
  stringsPerProgram,
  withoutSignalElements,
  withoutUnusedAxiosParts,
  withoutUnusedRouterParts,
  workerInFourFiles,
} from './scripts/vitePlugins.ts';

const node = (name: string, globalSetup: string[] = [], setupFiles: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    environment: 'node',
    include: [`tests/${name}/**/*.test.ts`],
    globalSetup,
    setupFiles,
  },
});

const onServer = (name: string) =>
  node(name, ['tests/server/prepare.ts'], ['tests/server/support/checkApiContract.ts']);

/**
 * The service worker lists all files, so a shorter hash counts hundreds of times. Without `-` and `_` it cannot be taken
 * for a part of the name (workers/offline/fileCache.ts).
 */
const fileNames = {
  hashCharacters: 'base36' as const,
  entryFileNames: 'assets/[name]-[hash:7].js',
  chunkFileNames: 'assets/[name]-[hash:7].js',
  assetFileNames: 'assets/[name]-[hash:7].[ext]',
};

export default defineConfig({
  plugins: [
    react(),
    stringsPerProgram(),
    noticeInPage(),
    chunksByScreen(),
    bootInPage(),
    withoutUnusedRouterParts(),
    withoutSignalElements(),
  ],
  build: {
    outDir: 'dist/client',
    target: TARGET,
    // A data URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: { output: fileNames },
    // scripts/build.mjs takes the maps away: they are the server's, and never served.
    sourcemap: 'hidden',
  },
  css: { modules: { generateScopedName: cssModuleName } },
  worker: {
    format: 'es',
    plugins: () => [withoutUnusedAxiosParts(), workerInFourFiles()],
    rolldownOptions: { output: fileNames },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/v1'].map((path) => [
        path,
        { target: process.env.FULCRUM_API ?? 'http://127.0.0.1:3000', ws: true },
      ]),
    ),
  },
  test: {
    globalSetup: 'tests/helpers/temporary.ts',
    // A loaded machine is slow, not wrong: no test is about time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Loading modules takes longer than most tests: the files of a process share them.
    isolate: false,
    // Most of a test is waiting: on two cores, two at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      node('domain'),
      node('workers'),
      onServer('server'),
      // What an attacker tries, a file for each kind; their guards are the server's and the page's.
      onServer('security'),
      {
        ...node('repository'),
        // bench/ is a package of its own and does not have the root's #domain.
        resolve: {
          alias: [{ find: /^#domain\/(.*)$/, replacement: `${import.meta.dirname}/domain/$1.ts` }],
        },
      },
      {
        extends: true,
        test: {
          name: 'src',
          environment: 'happy-dom',
          setupFiles: 'tests/src/setup.ts',
          // The files of a process share what a test has replaced.
          restoreMocks: true,
          unstubGlobals: true,
          include: ['tests/src/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
