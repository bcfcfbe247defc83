import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missing, postgresPrograms } from '../../helpers/installed';
import { inTurn, RARE } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { freePort } from '../support/freePort';
import { type Cluster, postgresAccount, startCluster } from '../support/postgres';
import { bundleServer, ServerProcess } from '../support/serverProcess';

const run = promisify(execFile);

// Starts PostgreSQL twice and the server three times.
unless(describe, missing('PostgreSQL'))(
  'deploy/backup.sh and restore.sh',
  { timeout: 300_000 },
  () => {
    let dist: string;
    /** All files of this test, as PostgreSQL's own user has them. */
    let folder: string;
    let account: { uid: number; gid: number } | undefined;
    let postgres: Cluster;
    let restored: string | undefined;

    beforeAll(async () => {
      dist = await bundleServer();
      folder = mkdtempSync(join(tmpdir(), 'fulcrum-restore-'));
      account = await postgresAccount();
      for (const made of ['backups', 'backups/wal']) mkdirSync(join(folder, made));
      cpSync('deploy', join(folder, 'deploy'), { recursive: true });
      for (const owned of [folder, join(folder, 'backups'), join(folder, 'backups/wal')]) {
        if (account) chownSync(owned, account.uid, account.gid);
      }
      // As it is delivered, but for its folders.
      const configuration = readFileSync('deploy/postgresql/fulcrum.conf', 'utf8')
        .replaceAll('/opt/fulcrum/deploy', join(folder, 'deploy'))
        .replaceAll('/var/backups/fulcrum', join(folder, 'backups'));
      postgres = await startCluster({ configuration });
    }, 600_000);
    afterAll(async () => {
      if (restored) await as('pg_ctl', '-D', restored, '-m', 'immediate', 'stop');
      await postgres.stop();
      for (const each of [dist, folder]) rmSync(each, { recursive: true, force: true });
    });

    /** Runs a program as PostgreSQL's user. */
    const as = (program: string, ...args: string[]) =>
      run(program, args, {
        ...account,
        cwd: folder,
        env: {
          PATH: `${postgresPrograms}:${process.env['PATH']}`,
          DATABASE_URL: postgres.url,
          FULCRUM_BACKUPS: join(folder, 'backups'),
        },
      });
    const script = (name: string, ...args: string[]) => as(join(folder, 'deploy', name), ...args);

    async function query<T extends object>(url: string, text: string): Promise<T> {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<T>(text);
      await client.end();
      return rows[0] as T;
    }

    inTurn(it, RARE)(
      'bring the database back as it was at a moment, with books that are right',
      async () => {
        const databaseUrl = await postgres.createDatabase();
        const server = new ServerProcess(
          dist,
          folder,
          '--database-url',
          databaseUrl,
          '--seed',
          '7',
        );
        const url = await server.url();
        const get = async (at: string, path: string, token = '') =>
          (await (await fetch(at + path, { headers: { authorization: token } })).json()).data;
        const { token } = await get(url, `/api/user/createAccountDemoForU?demo_id=${randomUUID()}`);
        const list = await get(url, '/v1/api/forex/trade_list');
        const open = list.find(({ MarketStatus }: { MarketStatus: number }) => MarketStatus === 1);
        const multiple = open.HasForexMultiple.at(-1).Value;
        const order = `/v1/api/forex/submit?type=1&status=1&forex_id=${open.Id}&cont=${open.ForexMinCont}&multiple=${multiple}`;
        const place = async () => (await get(url, order, token)).Id as number;

        const before = [await place(), await place()];
        await script('backup.sh');
        before.push(await place(), await place());
        const { moment } = await query<{ moment: string }>(
          databaseUrl,
          `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment`,
        );
        const later = [await place(), await place()];
        expect(new Set([...before, ...later]).size).toBe(6);
        const { file } = await query<{ file: string }>(
          databaseUrl,
          'select pg_walfile_name(pg_switch_wal()) as file',
        );
        const archived = () =>
          query<{ done: boolean }>(
            databaseUrl,
            `select coalesce(last_archived_wal >= '${file}', false) as done from pg_stat_archiver`,
          );
        await expect.poll(archived, { timeout: 60_000 }).toEqual({ done: true });
        await server.kill();
        await postgres.kill();

        const target = join(folder, 'restored');
        await script('restore.sh', target, moment);
        await expect(script('restore.sh', target, moment)).rejects.toThrow('exists');
        await expect(script('restore.sh', `${target}2`, '2020-01-01T00:00:00Z')).rejects.toThrow(
          'no base backup',
        );
        const port = await freePort();
        const options = `-h 127.0.0.1 -p ${port} -k '' -c fsync=off`;
        await as('pg_ctl', '-D', target, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
        restored = target;
        const restoredUrl = Object.assign(new URL(databaseUrl), { port: `${port}` }).href;
        const recovering = () => query(restoredUrl, 'select pg_is_in_recovery() as still');
        await expect.poll(recovering, { timeout: 60_000 }).toEqual({ still: false });

        const audit = new ServerProcess(dist, folder, 'audit', '--database-url', restoredUrl);
        expect([await audit.exit, audit.output]).toEqual([0, expect.any(String)]);
        const again = new ServerProcess(dist, folder, '--database-url', restoredUrl, '--seed', '7');
        const { data: orders } = await get(
          await again.url(),
          '/v1/api/forex/my_deal?status=1&limit=100',
          token,
        );
        await again.kill();
        const ids = orders
          .map(({ Id }: { Id: number }) => Id)
          .sort((a: number, b: number) => a - b);
        expect(ids).toEqual(before);
      },
    );
  },
);
