import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import * as vite from 'vite';
import { root } from './install.mjs';

/** Beside what npm installs, so that it is not taken for an installation of bench/. */
export const benchCache = join(root, 'node_modules/.cache/bench');

const base = {
  root,
  configFile: false,
  logLevel: 'warn',
  resolve: {
    // bench/ is a package of its own, and so has not the root's #domain.
    alias: ['domain', 'locales'].map((name) => ({
      find: new RegExp(`^#${name}/(.*)$`),
      replacement: join(root, name, name === 'domain' ? '$1.ts' : '$1.json'),
    })),
    dedupe: ['react', 'react-dom'],
  },
};

/** The arithmetic benchmarks; the path of the program. */
export async function buildArithmetic() {
  // Inside bench/, where Node finds the peers.
  const outDir = join(root, 'bench/node_modules/.build');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8'));
  await vite.build({
    ...base,
    build: {
      ssr: 'bench/main.ts',
      outDir,
      copyPublicDir: false,
      emptyOutDir: true,
      rolldownOptions: {
        // The peers run as they are published.
        external: Object.keys(dependencies),
        output: { entryFileNames: 'main.js' },
      },
    },
  });
  return join(outDir, 'main.js');
}

/** The render benchmark's driver, its feed, and what knows the contenders. */
export async function buildDriver() {
  await vite.build({
    ...base,
    build: {
      ssr: true,
      outDir: benchCache,
      copyPublicDir: false,
      rolldownOptions: {
        input: {
          render: 'bench/render/main.ts',
          feed: 'bench/render/harness/feed.ts',
          contenders: 'bench/render/harness/contenders.ts',
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
}

/** Solid's own compiler, from bench/. */
async function solid() {
  const path = join(root, 'bench/node_modules/vite-plugin-solid/dist/esm/index.mjs');
  const { default: plugin } = await import(pathToFileURL(path).href);
  return [plugin()];
}

/** The pages of the contenders, each a production build of its own, and what the feed must know of them. */
export async function buildPages(peers) {
  const { CONTENDERS, pageOf } = await import(
    pathToFileURL(join(benchCache, 'contenders.js')).href
  );
  const entries = new Set(
    CONTENDERS.filter(({ peer, entry }) => entry && (peers || !peer)).map(({ entry }) => entry),
  );
  const pages = {};
  for (const entry of entries) {
    const name = pageOf(entry);
    const outDir = join(benchCache, 'pages', name);
    await vite.build({
      ...base,
      base: `/bench/${name}/`,
      plugins: entry.includes('/solid/') ? await solid() : [react()],
      worker: { format: 'es' },
      build: {
        outDir,
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'es2022',
        modulePreload: false,
        manifest: true,
        rolldownOptions: { input: `bench/render/${entry}` },
      },
    });
    const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));
    const { file, css = [] } = manifest[`bench/render/${entry}`];
    pages[name] = {
      script: `${name}/${file}`,
      styles: css.map((style) => `${name}/${style}`),
    };
  }
  mkdirSync(benchCache, { recursive: true });
  writeFileSync(join(benchCache, 'pages.json'), JSON.stringify(pages));
}
