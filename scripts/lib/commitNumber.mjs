import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/**
 * The number of commits up to this one, by which `npm test` draws its samples: commits in a row have other ones. COMMIT names
 * another commit. Without a history it is 0.
 */
export function commitNumber() {
  if (process.env.COMMIT) return Number(process.env.COMMIT);
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root });
  return Number(stdout?.toString() || 0);
}
