import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './isInstalled.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the locked packages of a folder of the repository where npm has not. */
export function ensurePackages(folder, ...options) {
  if (isInstalled(join(root, folder))) return;
  console.log('Installing packages …');
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
  // .npmrc says the same of the root folder alone.
  npm(['ci', '--prefix', folder, '--include=dev', '--ignore-scripts', ...quietly, ...options]);
}

/** Installs the packages of the repository, with a Node that can run them. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Fulcrum needs Node 20.19 or newer, this is ${process.versions.node}.`);
    process.exit(1);
  }
  ensurePackages('.');
}

function npm(args) {
  const result = spawnSync('npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error(`npm ${args[0]} failed.`);
    process.exit(result.status ?? 1);
  }
}

/** Runs a file of node_modules with this Node; resolves to its exit code. */
export function bin(path) {
  return join(root, 'node_modules', path);
}

/** The path of a program; undefined where it is not installed. */
export function which(program) {
  try {
    const finder = process.platform === 'win32' ? 'where' : 'which';
    return execFileSync(finder, [program], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .split('\n')[0]
      .trim();
  } catch {
    return undefined;
  }
}
