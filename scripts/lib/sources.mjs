import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './install.mjs';

/** All inputs of the build. */
const INPUTS = [
  'domain',
  'workers',
  'src',
  'server',
  'locales',
  'public',
  'scripts/build.mjs',
  'scripts/lib/browsers.mjs',
  'scripts/lib/notBundled.mjs',
  'scripts/vitePlugins.ts',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];
const stamp = join(root, 'dist', '.sources');

function* files(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* files(join(path, name));
}

/** A hash of the sources, which is the version of the build. */
export function sourceVersion() {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    for (const file of files(join(root, input))) {
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 12);
}

export function isBuilt(version) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === version;
}

export function markBuilt(version) {
  writeFileSync(stamp, version);
}
