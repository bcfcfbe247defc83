import { chmodSync, constants, readdirSync } from 'node:fs';
import { access, chmod, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** Names of the server's own files in its data directory. It leaves all others alone. */
const OURS = /^(pglite|uploads|secret|desk\.json|lock)/;

/** The data directory can't be made, or is not ours to use. */
export class UnusableDirectory extends Error {
  constructor(directory: string, cause: unknown) {
    super(explained(directory, cause as NodeJS.ErrnoException), { cause });
    this.name = 'UnusableDirectory';
  }
}

function explained(directory: string, { code, message, path = '' }: NodeJS.ErrnoException): string {
  // Another user, such as root, has put it there.
  if (['EPERM', 'EACCES'].includes(code ?? '') && path.startsWith(join(directory, sep))) {
    return `${path} belongs to another user. Give it to the server's: chown -R ${process.geteuid?.()} ${path}`;
  }
  // It can be written and not made private: a mounted volume, or a folder of a group.
  if (code === 'EPERM') {
    return `The data directory ${directory} belongs to another user. Use a folder below it: --data ${join(directory, 'fulcrum')}`;
  }
  return `The data directory ${directory} can't be used: ${code ?? message}. Choose another one with --data.`;
}

/**
 * Makes the data directory where it does not exist. Only this user may read it and our files in
 * it: directories 0700, files 0600. Throws UnusableDirectory.
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(resolve(directory));
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    await chmod(directory, 0o700);
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (OURS.test(entry.name)) withdraw(join(directory, entry.name), entry.isDirectory());
    }
  } catch (error) {
    throw new UnusableDirectory(directory, error);
  }
}

/** Node's own recursive mkdir never returns where a parent exists and takes no directories, as /proc. */
async function makeDirectory(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await make();
  }
}

/** Synchronous: a database has a thousand files, and a promise for each costs more than the copy. */
function withdraw(path: string, isDirectory: boolean): void {
  chmodSync(path, isDirectory ? 0o700 : 0o600);
  if (!isDirectory) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isSymbolicLink()) withdraw(join(path, entry.name), entry.isDirectory());
  }
}
