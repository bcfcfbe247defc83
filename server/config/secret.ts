import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the keys of the server, one for each use, out of its one secret. */
export type Keys = (use: 'codes' | 'pictures' | 'invitation') => Buffer;

/** Variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const BYTES = 32;

/** The secret of FULCRUM_SECRET, or the one kept in the data directory, made there the first time. */
export async function loadKeys(directory: string, given: string | undefined): Promise<Keys> {
  const secret = given || (await keptSecret(directory));
  return (use) => Buffer.from(hkdfSync('sha256', secret, '', use, BYTES));
}

async function keptSecret(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'secret');
  const draft = `${path}.${randomUUID()}`;
  // Written aside and linked: a secret is there whole or not at all.
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
