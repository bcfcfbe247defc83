// Budgets of the build (npx size-limit; tests/repository/bundle.test.ts in npm test): gzipped bytes, each file compressed by itself.
import { readdirSync, readFileSync } from 'node:fs';

const client = 'dist/client';
/** Vite's manifest: the file of each entry, and the chunks that it imports. */
const manifest = JSON.parse(readFileSync(`${client}/.vite/manifest.json`, 'utf8'));

/** The files that some entries load: their own and those of all static imports. */
function load(...keys) {
  const files = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}: name its new entry here.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const key of keys) visit(key);
  return [...files].map((file) => `${client}/${file}`);
}

/** A file of the worker. */
const ofWorker = (name) =>
  readdirSync(`${client}/assets`)
    .filter((file) => new RegExp(`^${name}\\.worker-.*\\.js$`).test(file))
    .map((file) => `${client}/assets/${file}`);
/** What it loads at once. */
const worker = ofWorker('client');

export default [
  {
    // The worker's first stage, which has the first prices, travels in index.html (D130).
    name: 'index.html and JavaScript until the rows are live',
    path: [`${client}/index.html`, ...load('index.html')],
    limit: '26.2 kB',
    gzip: true,
  },
  {
    name: 'JavaScript of the page at /: the start, the app, its first screen',
    path: load('index.html', 'src/app/mount.tsx'),
    limit: '126.3 kB',
    gzip: true,
  },
  {
    name: 'The worker until it has a connection, a list and orders',
    path: worker,
    limit: '27.5 kB',
    gzip: true,
  },
  {
    name: 'What the worker fetches the list with',
    path: ofWorker('http-client'),
    limit: '17 kB',
    gzip: true,
  },
  {
    name: 'The service worker',
    path: `${client}/service-worker.js`,
    limit: '9.2 kB',
    gzip: true,
  },
];
