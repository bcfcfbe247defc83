import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPglite } from '../../../server/db/pglite';
import { missing } from '../../helpers/installed';
import { inTurn } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { databaseDirectory } from '../support/dataDirectory';
import { startCluster } from '../support/postgres';
import { ServerProcess, serverBundle } from '../support/serverProcess';

const PATH = `select pg_relation_filepath('users') as path`;
const SENTENCE =
  /^Fulcrum: The database is damaged: invalid page in block 0 .* Restore a backup \(operations\.md#backup\)\.$/m;

/** Changes bytes in the middle of the first page of a file, as a failing disk does. */
function damage(file: string): void {
  const bytes = Buffer.alloc(16);
  const opened = openSync(file, 'r+');
  readSync(opened, bytes, 0, bytes.length, 8_000);
  writeSync(opened, Buffer.from(bytes.map((byte) => byte ^ 0x55)), 0, bytes.length, 8_000);
  closeSync(opened);
}

async function openAccount(url: string): Promise<void> {
  const id = '11111111-2222-4333-8444-555555555555';
  const answer = await fetch(`${url}/api/user/createAccountDemoForU?demo_id=${id}`);
  expect(await answer.json()).toMatchObject({ code: 1 });
}

describe('a damaged page', () => {
  const bundle = serverBundle(120_000);
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'fulcrum-damage-'));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  inTurn(it)('of PGlite ends the server with a sentence', async () => {
    const directory = databaseDirectory();
    const server = new ServerProcess(bundle(), directory, '--host', '127.0.0.1', '--no-traders');
    await openAccount(await server.url());
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    const files = join(directory, 'pglite');
    const client = await openPglite(files);
    const { rows } = await client.query<{ path: string }>(PATH);
    await client.close();
    damage(join(files, rows[0]?.path ?? ''));
    const again = new ServerProcess(bundle(), directory, '--host', '127.0.0.1', '--no-traders');
    expect([await again.exit, again.output]).toEqual([1, expect.stringMatching(SENTENCE)]);
  });

  unless(inTurn(it), missing('PostgreSQL'))(
    'of PostgreSQL ends the server that runs, and lets none start',
    async () => {
      const cluster = await startCluster({ durable: true });
      try {
        const database = await cluster.createDatabase();
        const args = ['--database-url', database, '--host', '127.0.0.1', '--no-traders'];
        const server = new ServerProcess(bundle(), data, ...args);
        await openAccount(await server.url());
        const client = new Client({ connectionString: database });
        await client.connect();
        const { rows } = await client.query<{ path: string }>(PATH);
        await client.end();
        await cluster.halt();
        damage(join(cluster.data, rows[0]?.path ?? ''));
        await cluster.start();
        expect([await server.exit, server.output]).toEqual([1, expect.stringMatching(SENTENCE)]);
        const next = new ServerProcess(bundle(), data, ...args);
        expect([await next.exit, next.output]).toEqual([1, expect.stringMatching(SENTENCE)]);
      } finally {
        await cluster.stop();
      }
    },
  );
});
