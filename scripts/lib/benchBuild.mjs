import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { TARGET } from './browsers.mjs';
import { compress } from './compress.mjs';
import { root } from './install.mjs';

/** Beside what npm installs, so that it is not taken for an installation of bench/. */
export const benchCache = join(root, 'node_modules/.cache/bench');

const base = {
  root,
  configFile: false,
  logLevel: 'warn',
  resolve: {
    // bench/ is a package of its own and does not have the root's #domain.
    alias: ['domain', 'locales'].map((name) => ({
      find: new RegExp(`^#${name}/(.*)$`),
      replacement: join(root, name, name === 'domain' ? '$1.ts' : '$1.json'),
    })),
    dedupe: ['react', 'react-dom'],
  },
};

/** Loads Vite only now: commands that install it import this file. */
async function bundle(config) {
  const vite = await import('vite');
  await vite.build(config);
}

/** Bundles a program of bench/ that uses its packages; returns the path. */
export async function buildProgram(entry, name) {
  // Inside bench/, where Node finds the peers.
  const outDir = join(root, 'bench/node_modules/.build');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8'));
  await bundle({
    ...base,
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        // The peers run as published.
        external: Object.keys(dependencies),
        output: { entryFileNames: `${name}.js` },
      },
    },
  });
  return join(outDir, `${name}.js`);
}

/** Bundles the drivers of the render benchmark, of the traces, the engines, the networks, the traffic and the devices, the feed, and what lighthouse needs. */
export async function buildDriver() {
  await bundle({
    ...base,
    build: {
      ssr: true,
      outDir: benchCache,
      copyPublicDir: false,
      rolldownOptions: {
        input: {
          render: 'bench/render/main.ts',
          trace: 'bench/render/trace/main.ts',
          engines: 'bench/render/engines/main.ts',
          interactions: 'bench/render/interactions/main.ts',
          network: 'bench/network/main.ts',
          traffic: 'bench/traffic/main.ts',
          devices: 'bench/devices/main.ts',
          device: 'bench/devices/cores.ts',
          feed: 'bench/render/harness/feed.ts',
          contenders: 'bench/render/harness/contenders.ts',
          measure: 'bench/lib/measure.ts',
          check: 'bench/render/check.ts',
        },
        // Beside one another: the feed is started by its path beside the program.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}

/** Bytes of gzipped JavaScript and WebAssembly: what the entries load immediately, and the workers. */
function bytesOf(folder, entries, worker = /\.worker-.*\.js$/) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const gzipped = (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
  const files = new Set();
  const reach = (key) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const next of chunk.imports ?? []) reach(next);
  };
  for (const entry of entries) reach(entry);
  const assets = readdirSync(join(folder, 'assets'));
  const workers = assets.filter((file) => worker.test(file));
  for (const file of assets) if (file.endsWith('.wasm')) files.add(join('assets', file));
  const sum = (names) => names.reduce((total, file) => total + gzipped(file), 0);
  return { page: sum([...files]), worker: sum(workers.map((file) => join('assets', file))) };
}

/**
 * Builds the pages of the contenders, each in production mode, and returns what the feed must know
 * of them.
 */
export async function buildPages(wanted) {
  const { ALL, pageOf } = await import(pathToFileURL(join(benchCache, 'contenders.js')).href);
  const pages = {};
  const client = join(root, 'dist/client');
  const inWorker = /^client\.worker-.*\.js$/;
  // With the worker's first stage, which travels in it and has the first prices (D130).
  const page = gzipSync(readFileSync(join(client, 'index.html')), { level: 9 });
  const bytes = {
    app: {
      ...bytesOf(client, ['index.html', 'src/app/mount.tsx'], inWorker),
      untilLive: page.length + bytesOf(client, ['index.html']).page,
    },
  };
  const chosen = ALL.filter(({ name }) => wanted(name));
  const shell = await buildPage('contender', SHELL, PLAIN_NAMES);
  const shellBytes = bytesOf(join(benchCache, 'pages/contender'), [SHELL]).page;
  for (const one of chosen) {
    const name = pageOf(one);
    if (name === undefined || pages[name]) continue;
    const input = one.about ? one.about.entry : `bench/render/${one.entry}`;
    const built = one.about ? await buildContender(name, input) : await buildPage(name, input);
    pages[name] = one.about
      ? {
          scripts: [...shell.scripts, ...built.scripts],
          styles: [...shell.styles, ...built.styles],
        }
      : built;
    bytes[name] = bytesOf(join(benchCache, 'pages', name), [input]);
    if (one.about) bytes[name].page += shellBytes;
  }
  writeFileSync(join(benchCache, 'pages.json'), JSON.stringify({ pages, bytes }));
}

/** Bundles the charts and their driver; returns the path of the program. */
export async function buildChart() {
  await bundle({
    ...base,
    build: {
      ssr: true,
      outDir: benchCache,
      copyPublicDir: false,
      rolldownOptions: {
        input: { chart: 'bench/chart/main.ts', feed: 'bench/render/harness/feed.ts' },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  const pages = {};
  for (const name of ['lightweight', 'klinecharts', 'fulcrum']) {
    pages[name] = await buildPage(name, `bench/chart/${name}.ts`);
  }
  writeFileSync(join(benchCache, 'chart.json'), JSON.stringify(pages));
  return join(benchCache, 'chart.js');
}

/** What each contender's page has besides its own script. */
const SHELL = 'bench/render/pages/contender/shell.ts';

/** Contenders know the boxes' styles by the names in their sources. */
const PLAIN_NAMES = { css: { modules: { generateScopedName: '[local]' } } };

/** A page of the benchmark. */
const buildPage = (name, input, more = {}) => build(name, input, { ...base, ...more });

/** A contender's page, by its own Vite configuration where it has one. */
function buildContender(name, entry) {
  const folder = join(root, 'bench/contenders', name);
  const configFile = join(folder, 'vite.config.mjs');
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return build(name, entry, {
    root: folder,
    configFile: existsSync(configFile) && configFile,
    logLevel: 'warn',
    // In a version of its own, also for packages that npm shares with other contenders.
    resolve: { dedupe: Object.keys(dependencies) },
  });
}

async function build(name, input, config) {
  const outDir = join(benchCache, 'pages', name);
  await bundle({
    ...config,
    base: `/bench/${name}/`,
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      target: TARGET,
      modulePreload: false,
      manifest: true,
      rolldownOptions: { input: join(config.root, input) },
    },
  });
  // As the app's files are sent.
  compress(outDir);
  const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));
  const { file, css = [] } = manifest[input];
  return { scripts: [`${name}/${file}`], styles: css.map((style) => `${name}/${style}`) };
}
