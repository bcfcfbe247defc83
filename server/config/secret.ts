import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDataDirectory } from './dataDirectory';

/** Derives a key for each use from the server's one secret. */
export type Keys = (
  use:
    | 'codes'
    | 'pictures'
    | 'invitation'
    | 'second-factor'
    | 'devices'
    | 'passkeys'
    | 'push'
    | 'directory',
) => Buffer;

const BYTES = 32;

/**
 * Uses FULCRUM_SECRET, or the secret stored in the data directory, which the first start creates.
 */
export async function loadKeys(directory: string, given: string): Promise<Keys> {
  const secret = given || (await savedSecret(directory));
  return (use) => Buffer.from(hkdfSync('sha256', secret, '', use, BYTES));
}

async function savedSecret(directory: string): Promise<string> {
  await prepareDataDirectory(directory);
  const path = join(directory, 'secret');
  const draft = `${path}.${randomUUID()}`;
  // Write to another name and link, so that the file is never seen half written.
  await writeFile(draft, randomBytes(BYTES).toString('base64url'), { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}
