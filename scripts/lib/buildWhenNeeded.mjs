import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/**
 * Builds what has changed in its own process, so that the bundler's memory and its NODE_ENV do not
 * stay.
 */
export function buildWhenNeeded() {
  const { status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', "import('./scripts/build.mjs').then((m) => m.build())"],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}
