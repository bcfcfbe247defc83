import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from './tree';

/** Names that are one where a file system does not tell upper case from lower, as on macOS and Windows. */
function clashes(files: readonly string[]): string[] {
  const met = new Map<string, string>();
  const found: string[] = [];
  const meet = (name: string) => {
    const other = met.get(name.toLowerCase());
    if (other !== undefined && other !== name) found.push(`${other} and ${name}`);
    met.set(name.toLowerCase(), name);
  };
  for (const file of files) {
    // As imports name it: without what begins at the first dot.
    meet(file.replace(/(?<=[^/])\.[^/]*$/, ''));
    const folders = file.split('/').slice(0, -1);
    for (const end of folders.keys()) meet(`${folders.slice(0, end + 1).join('/')}/`);
  }
  return found;
}

it('no two names differ only in case', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  const files = listed.toString().trim().split('\n');
  expect(files.length).toBeGreaterThan(1000);
  expect(clashes(files)).toEqual([]);
});

it('a component and a module, and two folders, are found where they differ only in case', () => {
  expect(clashes(['src/ui/Toasts.tsx', 'src/ui/toasts.ts'])).toEqual([
    'src/ui/Toasts and src/ui/toasts',
  ]);
  expect(clashes(['src/orders/a.ts', 'src/Orders/b.ts'])).toEqual(['src/orders/ and src/Orders/']);
  expect(clashes(['src/Row.tsx', 'src/Row.module.css', 'src/rows/Row.tsx'])).toEqual([]);
});
