import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/**
 * Builds what has changed, in a process of its own: the bundler's memory is
 * gone afterwards, and so is the NODE_ENV that it sets.
 */
export function buildWhenNeeded() {
  const { status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', "import('./scripts/build.mjs').then((m) => m.build())"],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}
