import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './install.mjs';

/**
 * Filters for the test runners. A source file stands for the test of the same path below `tests/`, or else for the tests of
 * its folder; anything else stays as it is.
 */
export function ownTests(paths) {
  return paths.map((path) => {
    if (!/^(domain|workers|src|server)\/.*\.tsx?$/.test(path)) return path;
    const folder = join('tests', dirname(path));
    const name = basename(path).replace(/\.tsx?$/, '');
    const own = ['test.ts', 'test.tsx']
      .flatMap((end) =>
        [name, name[0].toLowerCase() + name.slice(1)].map((each) => `${each}.${end}`),
      )
      .map((file) => join(folder, file))
      .find((file) => existsSync(join(root, file)));
    return own ?? `${nearest(folder)}/`;
  });
}

function nearest(folder) {
  return existsSync(join(root, folder)) ? folder : nearest(dirname(folder));
}
