import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { openPglite } from '../../../server/db/pglite';
import type { Sync } from '../../../server/db/syncedFiles';
import { inTurn, RARE } from '../../helpers/samples';
import { dataDirectory } from '../support/dataDirectory';

/**
 * What a disk holds of a directory when the power is cut: of each file what it had when it was last
 * synced, and of each directory the names that it had then. Nothing else has arrived.
 */
class Disk {
  readonly files = join(dataDirectory(), 'pglite');
  readonly kept = join(dataDirectory(), 'pglite');
  syncs = 0;

  readonly sync: Sync = (path) => {
    this.syncs++;
    const image = join(this.kept, relative(this.files, path));
    if (!statSync(path).isDirectory()) {
      mkdirSync(dirname(image), { recursive: true });
      copyFileSync(path, image);
      return;
    }
    mkdirSync(image, { recursive: true });
    for (const name of readdirSync(image)) {
      if (!existsSync(join(path, name))) rmSync(join(image, name), { recursive: true });
    }
  };
}

const open = new Set<PGlite>();
afterEach(async () => {
  for (const client of open) await client.close();
  open.clear();
});

async function openFiles(path: string, sync: Sync): Promise<PGlite> {
  const contents = new Blob([readFileSync(inject('emptyPglite'))]);
  const client = await openPglite(path, { sync, contents });
  open.add(client);
  return client;
}

/** Commits rows one by one until the power is cut, at any moment after the last answer. */
async function commitRows(client: PGlite, from: number, count: number): Promise<void> {
  for (let id = from; id < from + count; id++) {
    await client.query('insert into notes values ($1, $2)', [id, 'x'.repeat(1000)]);
  }
}

async function rowsAfterPowerCut(disk: Disk): Promise<number> {
  const copy = join(dataDirectory(), 'pglite');
  cpSync(disk.kept, copy, { recursive: true });
  const client = await openFiles(copy, () => {});
  const { rows } = await client.query<{ ids: number[] | null }>(
    'select array_agg(id order by id) as ids from notes',
  );
  const ids = rows[0]?.ids ?? [];
  expect(ids).toEqual(ids.map((_, index) => index));
  return ids.length;
}

describe('a power cut', () => {
  inTurn(it, RARE)(
    'loses no commit that was acknowledged, before and after a checkpoint',
    async () => {
      const disk = new Disk();
      const client = await openFiles(disk.files, disk.sync);
      await client.exec('create table notes (id int primary key, text text)');
      await commitRows(client, 0, 20);
      const { syncs } = disk;
      await commitRows(client, 20, 20);
      // One for each commit: a batch of orders is one.
      expect(disk.syncs - syncs).toBe(20);
      expect(await rowsAfterPowerCut(disk)).toBe(40);
      await client.exec('checkpoint');
      await commitRows(client, 40, 20);
      await client.exec('create table more (id int); drop table more');
      expect(await rowsAfterPowerCut(disk)).toBe(60);
    },
  );

  inTurn(it)(
    'loses commits without syncs, which proves that the simulated disk forgets',
    async () => {
      const disk = new Disk();
      let synced = true;
      const client = await openFiles(disk.files, (path) => synced && disk.sync(path));
      await client.exec('create table notes (id int primary key, text text)');
      await commitRows(client, 0, 20);
      synced = false;
      await commitRows(client, 20, 20);
      expect(await rowsAfterPowerCut(disk)).toBeLessThan(40);
    },
  );

  inTurn(it)('a sync that fails acknowledges no commit', async () => {
    const disk = new Disk();
    let failing = false;
    const client = await openFiles(disk.files, (path) => {
      if (failing) throw new Error('EIO');
      disk.sync(path);
    });
    await client.exec('create table notes (id int primary key, text text)');
    await commitRows(client, 0, 5);
    failing = true;
    await expect(commitRows(client, 5, 1)).rejects.toThrow();
    open.delete(client);
    expect(await rowsAfterPowerCut(disk)).toBe(5);
  });
});
