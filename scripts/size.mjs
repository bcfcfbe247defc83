// npm run size: the size of each package in the built page and worker. Builds in memory; writes nothing.
// A package's weight is the gzip size of its code as it is left after tree-shaking, minified by itself.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureInstalled, root } from './lib/install.mjs';

ensureInstalled();
const vite = await import('vite');

/** Code by part of the product and package. */
const weighed = new Map();

function packageOf(id) {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? [];
  if (name) return name;
  const [folder] = id.startsWith(root) ? id.slice(root.length).replace(/^\//, '').split('/') : [];
  return folder && !folder.startsWith('\0') ? `own: ${folder}` : undefined;
}

function measure(partOf) {
  return {
    name: 'fulcrum:size',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const part = chunk.type === 'chunk' ? partOf(chunk.fileName) : undefined;
        if (!part) continue;
        for (const [id, { code }] of Object.entries(chunk.modules)) {
          const name = packageOf(id);
          if (!name || !code) continue;
          const key = `${part}\t${name}`;
          weighed.set(key, `${weighed.get(key) ?? ''}\n${code}`);
        }
      }
    },
  };
}

const { config } = await vite.loadConfigFromFile(
  { command: 'build', mode: 'production' },
  join(root, 'vite.config.ts'),
);
const { plugins: workerPlugins } = config.worker;
await vite.build({
  ...config,
  configFile: false,
  root,
  logLevel: 'error',
  build: { ...config.build, write: false },
  plugins: [
    ...config.plugins,
    measure((file) =>
      /\/(start|app|index|mount)-/.test(file) ? 'page, first screen' : 'page, later',
    ),
  ],
  worker: {
    ...config.worker,
    // The worker of /bench holds the same packages once more.
    plugins: () => [
      ...workerPlugins(),
      measure((file) => (file.includes('bench') ? undefined : 'worker')),
    ],
  },
});

const rows = [];
for (const [key, code] of weighed) {
  const { code: minified } = await vite.minify('package.js', code, {
    compress: false,
    mangle: { toplevel: true },
  });
  rows.push([key, gzipSync(minified, { level: 9 }).length]);
}
rows.sort(([a, x], [b, y]) => a.split('\t')[0].localeCompare(b.split('\t')[0]) || y - x);
for (const [key, bytes] of rows) console.log(`${key}\t${bytes}`);
