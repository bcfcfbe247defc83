import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import * as vite from 'vite';
import { root } from './install.mjs';

/** Beside what npm installs, so that it is not taken for an installation of bench/. */
export const benchCache = join(root, 'node_modules/.cache/bench');

// bench/ is a package of its own, and so has not the root's #domain.
export const alias = [
  { find: /^#domain\/(.*)$/, replacement: `${join(root, 'domain')}/$1.ts` },
  { find: /^#locales\/(.*)$/, replacement: `${join(root, 'locales')}/$1.json` },
];

/** The render benchmark's driver and feed. */
export async function buildDriver() {
  await vite.build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias },
    build: {
      ssr: true,
      outDir: benchCache,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      rolldownOptions: {
        input: { render: 'bench/render/main.ts', feed: 'bench/render/harness/feed.ts' },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
}

/** The pages of the contenders, each a production build of its own, and what the feed must know of them. */
export async function buildPages(entries) {
  const outDir = join(benchCache, 'pages');
  const pages = {};
  for (const entry of entries) {
    const name = entry.replace(/^.*\/|\.\w+$/g, '');
    await vite.build({
      root,
      configFile: false,
      logLevel: 'warn',
      base: `/bench/${name}/`,
      plugins: [react()],
      resolve: { alias, dedupe: ['react', 'react-dom'] },
      worker: { format: 'es' },
      build: {
        outDir: join(outDir, name),
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'es2022',
        assetsInlineLimit: 0,
        modulePreload: false,
        manifest: true,
        rolldownOptions: { input: `bench/render/${entry}` },
      },
    });
    const manifest = JSON.parse(readFileSync(join(outDir, name, '.vite/manifest.json'), 'utf8'));
    const chunk = manifest[`bench/render/${entry}`];
    pages[name] = {
      script: `${name}/${chunk.file}`,
      styles: (chunk.css ?? []).map((file) => `${name}/${file}`),
    };
  }
  mkdirSync(benchCache, { recursive: true });
  writeFileSync(join(benchCache, 'pages.json'), JSON.stringify(pages));
}
