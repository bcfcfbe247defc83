import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

/** Builds a commit of this repository outside of it, with its own packages, once; returns the path of its server. */
export function builtCommit(name) {
  const commit = commitOf(name);
  const folder = join(tmpdir(), `fulcrum-${commit.slice(0, 12)}`);
  const program = join(folder, 'dist/server/main.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  extractCommit(commit, folder);
  // It installs its packages itself.
  run(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'inherit' });
  return program;
}

/** Writes the files of a commit into a folder. */
export function extractCommit(commit, folder) {
  run('tar', ['-x', '-C', folder], { input: git('archive', commit) });
}

/** The build of the former release (tests/upgrade/former.ts), in a folder as `dist`; undefined where this clone lacks its commit. */
export function formerDist() {
  const commit = formerCommit();
  return commit && join(dirname(builtCommit(commit)), '..');
}

/** The commit of the former release; undefined where this clone lacks it. */
export function formerCommit() {
  const source = readFileSync(join(root, 'tests/upgrade/former.ts'), 'utf8');
  const [, name = ''] = /FORMER = '(\w+)'/.exec(source) ?? [];
  return hasCommit(name) ? commitOf(name) : undefined;
}

/** Whether this clone has the commit; a shallow one, or a copy without history, may not. */
export function hasCommit(name) {
  const { status } = spawnSync('git', ['cat-file', '-e', `${name}^{commit}`], { cwd: root });
  return status === 0;
}

/** The whole name of a commit. */
export function commitOf(name) {
  return git('rev-parse', '--verify', `${name}^{commit}`).toString().trim();
}

function git(...args) {
  return run('git', args, { cwd: root }).stdout;
}

function run(file, args, options) {
  const result = spawnSync(file, args, { maxBuffer: 2 ** 30, ...options });
  if (result.status !== 0) throw new Error(`${file} ${args.join(' ')}: ${result.stderr ?? ''}`);
  return result;
}
