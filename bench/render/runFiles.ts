import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ZipEntry } from '../lib/zip';
import { pageOf } from './report/page';

function entriesOf(from: string, under: string): ZipEntry[] {
  if (!existsSync(from)) return [];
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .map((file) => join(from, file))
    .filter((file) => !file.includes('node_modules') && statSync(file).isFile())
    .map((file) => ({ name: join(under, relative(from, file)), content: readFileSync(file) }));
}

/** Samples, report, page of results, and the contenders' sources with their lock file. */
export function filesOfRun(folder: string): ZipEntry[] {
  // The page of the committed results is elsewhere.
  const isPage = /^results\/page\//;
  const results = entriesOf(folder, 'results').filter(
    ({ name }) => !name.endsWith('.zip') && !isPage.test(name),
  );
  return [
    ...results,
    ...entriesOf(pageOf(folder), 'results/page'),
    ...entriesOf('bench/contenders', 'contenders'),
    { name: 'package-lock.json', content: readFileSync('bench/package-lock.json') },
  ];
}
