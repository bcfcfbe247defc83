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

/** The worker's entry, and the files that it imports before its first request. */
function loadWorker() {
  const files = new Set();
  const visit = (file) => {
    if (files.has(file)) return;
    files.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, next] of code.matchAll(/\bfrom\s*["']\.\/([^"']+)["']/g)) {
      visit(`${client}/assets/${next}`);
    }
  };
  const entries = readdirSync(`${client}/assets`);
  for (const file of entries) {
    if (/^gateway\.worker-.*\.js$/.test(file)) visit(`${client}/assets/${file}`);
  }
  return [...files];
}

export default [
  {
    name: 'JavaScript until the rows are live, of page and worker',
    path: [...load('index.html'), ...loadWorker()],
    limit: '60 kB',
    gzip: true,
  },
  {
    name: 'JavaScript of the page at /: the start, the app, its first screen',
    path: load('index.html', 'src/app/mount.tsx'),
    limit: '125 kB',
    gzip: true,
  },
  {
    name: 'The worker',
    path: loadWorker(),
    limit: '42 kB',
    gzip: true,
  },
  {
    name: 'The service worker',
    path: `${client}/service-worker.js`,
    limit: '9.5 kB',
    gzip: true,
  },
];
