import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether npm has installed what the lock file of a folder names, by its own list of what is there. */
export function isInstalled(folder) {
  const packagesOf = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
  const list = 'node_modules/.package-lock.json';
  if (!existsSync(join(folder, list))) return false;
  const installed = packagesOf(list);
  // Optional ones are for other platforms.
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional }]) =>
      !path.includes('node_modules/') || optional || installed[path]?.version === version,
  );
}
