// Builds the client to dist/client and the server to dist/server.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TARGET } from './lib/browsers.mjs';
import { compress } from './lib/compress.mjs';
import { drawLogos } from './lib/drawLogos.mjs';
import { ensureInstalled, root } from './lib/install.mjs';
import { NOT_BUNDLED } from './lib/notBundled.mjs';
import { isBuilt, markBuilt, sourceVersion } from './lib/sources.mjs';

export async function build({ force = false } = {}) {
  ensureInstalled();
  const version = sourceVersion();
  if (!force && isBuilt(version)) return;
  console.log('Building …');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  process.env.VITE_VERSION = version;
  const vite = await import('vite');
  await vite.build({ root, logLevel: 'warn' });
  await vite.build({ root, logLevel: 'warn', ...serviceWorkerBuild(version) });
  await vite.build({ root, logLevel: 'warn', ...serverBuild });
  copyServerFiles();
  await createEmptyDatabase();
  moveSourceMaps();
  drawLogos(join(root, 'dist/client/logos'));
  writeManifestVersion(version);
  compress(join(root, 'dist/client'));
  markBuilt(version);
}

/** The service worker, one file that knows the files of the page (D98). */
function serviceWorkerBuild(version) {
  const outDir = join(root, 'dist/client');
  const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8'));
  const entry = manifest['index.html'];
  const html = readFileSync(join(outDir, 'index.html'), 'utf8');
  const worker = Object.values(manifest)
    .flatMap(({ assets = [] }) => assets)
    .find((file) => /\/client\.worker-/.test(file));
  const filesOf = (chunks) => [...new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))];
  // The benchmark measures a network.
  const chunks = Object.entries(manifest).filter(([source]) => !/bench/i.test(source));
  const ofLanguage = ([source]) => source.startsWith('locales/');
  const files = filesOf(chunks.filter((each) => !ofLanguage(each)).map(([, chunk]) => chunk));
  // The service worker has few bytes: all of them are in one folder.
  const names = (list) => list.map((file) => basename(file)).join(' ');
  return {
    configFile: false,
    publicDir: false,
    define: {
      BUILD: {
        version,
        entry: basename(entry.file),
        shell: names([...files.filter((file) => html.includes(file)), ...partsOf(worker, outDir)]),
        screens: names(files.filter((file) => !html.includes(file))),
        strings: names(filesOf(chunks.filter(ofLanguage).map(([, chunk]) => chunk))),
      },
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: TARGET,
      sourcemap: 'hidden',
      rolldownOptions: {
        input: join(root, 'workers/service.worker.ts'),
        // Each package of Workbox names its version to tools.
        treeshake: { moduleSideEffects: [{ test: /_version\.js$/, sideEffects: false }] },
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  };
}

/** A worker's file and those that it imports, sooner or later: Vite's manifest does not list them. */
function partsOf(worker, folder) {
  const names = readdirSync(join(folder, 'assets'));
  const parts = new Set([worker]);
  for (const part of parts) {
    const text = readFileSync(join(folder, part), 'utf8');
    for (const name of names) if (text.includes(`./${name}`)) parts.add(`assets/${name}`);
  }
  return [...parts];
}

/**
 * Node 20 does not run TypeScript, and a start is slow when packages load file by file: one bundle.
 */
export const serverBuild = {
  ssr: { noExternal: true, external: NOT_BUNDLED },
  build: {
    ssr: 'server/main.ts',
    outDir: 'dist/server',
    target: 'node20',
    manifest: false,
    copyPublicDir: false,
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: { output: { entryFileNames: 'main.js', chunkFileNames: '[name].js' } },
  },
};

/** Copies the files that the server reads at run time to the place beside its program. */
export function copyServerFiles() {
  for (const folder of ['server/db/migrations', 'server/market/replay/sample']) {
    cpSync(join(root, folder), join(root, 'dist/server', basename(folder)), { recursive: true });
  }
}

/** Puts the client's source maps where only the server reads them (server/clientErrors/sourceMaps.ts), without the sources. */
function moveSourceMaps() {
  const maps = join(root, 'dist/maps');
  mkdirSync(maps);
  for (const folder of ['dist/client', 'dist/client/assets'].map((name) => join(root, name))) {
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.map'))) {
      const path = join(folder, name);
      const { sourcesContent, ...map } = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(join(maps, name), JSON.stringify(map));
      rmSync(path);
    }
  }
}

/** The embedded database with its tables and nothing in them: a new data directory begins with it. */
async function createEmptyDatabase() {
  const { PGlite } = await import('@electric-sql/pglite');
  const { drizzle } = await import('drizzle-orm/pglite');
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  const folder = join(root, 'dist/server/emptyPglite');
  const database = await PGlite.create(folder);
  await migrate(drizzle(database), { migrationsFolder: join(root, 'server/db/migrations') });
  await database.close();
  // PGlite lets everybody write to its files.
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);
  }
}

/** The page compares this with the version it was built as (protocol.md#manifest). */
function writeManifestVersion(version) {
  const path = join(root, 'dist/client/manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...manifest, version }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build({ force: true });
  if (!existsSync(join(root, 'dist/server/main.js'))) process.exit(1);
  console.log('Built: dist/');
}
