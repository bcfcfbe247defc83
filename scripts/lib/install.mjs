import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const stamp = join(root, 'node_modules', '.fulcrum-installed');

/** Installs the locked packages when they are missing or the lock file has changed. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Fulcrum needs Node 20.19 or newer, this is ${process.versions.node}.`);
    process.exit(1);
  }
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing packages …');
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, lock);
}

export function npm(args) {
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
