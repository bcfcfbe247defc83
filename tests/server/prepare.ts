import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../server/db/open';
import { postgresInstalled } from '../helpers/installed';
import { startCluster } from './support/postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the dump of an empty, migrated PGlite. */
    emptyPglite: string;
    /** A data directory with that PGlite. */
    emptyDirectory: string;
    /** A PostgreSQL and the name of an empty, migrated database; empty where none is installed. */
    postgres: { url: string; empty: string };
  }
}

/**
 * Creating a database takes seconds and copying one does not: one of each kind is created and
 * migrated for the whole run, and every test file gets copies.
 */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const work = mkdtempSync(join(tmpdir(), 'fulcrum-empty-'));
  const [stop] = await Promise.all([preparePostgres(project), preparePglite(project, work)]);
  return async () => {
    await stop();
    rmSync(work, { recursive: true, force: true });
  };
}

async function preparePglite(project: TestProject, work: string): Promise<void> {
  const directory = join(work, 'data');
  // The build (FULCRUM_DIST) has made and migrated one, which takes four seconds of CPU.
  const built = process.env['FULCRUM_DIST'];
  if (built)
    cpSync(join(built, 'server/emptyPglite'), join(directory, 'pglite'), { recursive: true });
  await (await openDatabase({ directory })).close();
  const client = await PGlite.create(join(directory, 'pglite'));
  const dump = await client.dumpDataDir('none');
  await client.close();
  const file = join(work, 'empty.tar');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
  project.provide('emptyPglite', file);
  project.provide('emptyDirectory', directory);
}

async function preparePostgres(project: TestProject): Promise<() => Promise<void>> {
  if (!postgresInstalled) {
    project.provide('postgres', { url: '', empty: '' });
    return async () => {};
  }
  const cluster = await startCluster();
  const empty = await cluster.createDatabase();
  await (await openDatabase({ url: empty, directory: '' })).close();
  project.provide('postgres', { url: cluster.url, empty: new URL(empty).pathname.slice(1) });
  return () => cluster.stop();
}
