import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from './install.mjs';
import { NOT_BUNDLED } from './notBundled.mjs';

/** What an operator needs besides the packages. */
const PARTS = ['dist', 'deploy', 'docs', 'README.md', 'SECURITY.md', 'scripts/admin.mjs'];

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Writes `NAME.tar.gz` of the build into a folder and returns its path: unpacked, `node .` serves without npm and network. `added` are
 * more files, by their names in it. `npm pack` would install at its destination.
 */
export function makeArchive(name, folder, added = {}) {
  const stage = mkdtempSync(join(tmpdir(), 'fulcrum-release-'));
  const target = join(stage, name);
  const copy = (from, to) => {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(from, join(target, to), {
      recursive: true,
      // A package in a package is one of the list itself.
      filter: (path) => !relative(from, path).split('/').includes('node_modules'),
    });
  };
  try {
    for (const part of PARTS) copy(join(root, part), part);
    for (const path of installedPackages()) copy(join(root, path), path);
    for (const [file, from] of Object.entries(added)) copy(from, file);
    const { version, description, engines } = json(join(root, 'package.json'));
    const own = { name: 'fulcrum', version, description, private: true, type: 'module', engines };
    const text = JSON.stringify({ ...own, main: 'dist/server/main.js' }, null, 2);
    writeFileSync(join(target, 'package.json'), `${text}\n`);
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, `${name}.tar.gz`);
    // Nobody's name and no rights of this machine.
    const plain = [
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rwX,go+rX,go-w',
    ];
    const { status } = spawnSync('tar', ['-czf', archive, ...plain, '-C', stage, name], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('tar failed');
    return archive;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The folders of the packages that the built server loads, with all that they need, as npm has placed them for this platform. */
function installedPackages() {
  const { packages } = json(join(root, 'package-lock.json'));
  const found = new Set();
  const visit = (name, from) => {
    const path = placeOf(packages, name, from);
    // An optional one is for another platform.
    if (!path || found.has(path) || !existsSync(join(root, path))) return;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, path);
  };
  for (const name of NOT_BUNDLED) visit(name, '');
  return found;
}

/** Where Node finds a package: in the asking one's folder, or in one around it. */
function placeOf(packages, name, from) {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = join(folder, 'node_modules', name);
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}
