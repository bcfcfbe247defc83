import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  path: string;
  text: string;
}

/** The files below some folders of the project whose names match. */
export function sourceFiles(folders: readonly string[], name = /\.(ts|tsx)$/): SourceFile[] {
  const found: SourceFile[] = [];
  const visit = (path: string) => {
    if (statSync(path).isDirectory()) {
      for (const child of readdirSync(path).sort()) {
        if (child !== 'node_modules' && child !== 'output') visit(join(path, child));
      }
    } else if (name.test(path)) {
      found.push({
        path: relative(root, path).replaceAll('\\', '/'),
        text: readFileSync(path, 'utf8'),
      });
    }
  };
  for (const folder of folders) visit(join(root, folder));
  return found;
}
