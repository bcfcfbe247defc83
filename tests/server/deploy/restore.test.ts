import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

// Starts PostgreSQL four times and the server six times.
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
      cpSync('deploy', join(folder, 'deploy'), { recursive: true });
      if (account) chownSync(folder, account.uid, account.gid);
      makeBackupFolders();
      // As it is delivered, but for its folders.
      const configuration = readFileSync('deploy/postgresql/fulcrum.conf', 'utf8')
        .replaceAll('/opt/fulcrum/deploy', join(folder, 'deploy'))
        .replaceAll('/var/backups/fulcrum', join(folder, 'backups'));
      postgres = await startCluster({ configuration });
    }, 600_000);
    afterAll(async () => {
      if (restored) await stopRestored();
      await postgres.stop();
      for (const each of [dist, folder]) rmSync(each, { recursive: true, force: true });
    });

    /** As operations.md#postgresql has it; without its owner where we are not root. */
    function makeBackupFolders(): void {
      const [, line = ''] =
        /^`(install .* \/var\/backups\/.*?)`/m.exec(readFileSync('docs/operations.md', 'utf8')) ??
        [];
      expect(line).not.toBe('');
      const command = line.replaceAll('/var/backups/fulcrum', join(folder, 'backups'));
      execFileSync('sh', ['-c', account ? command : command.replace(/-o \S+ -g \S+ /, '')]);
    }

    /** Runs a program as PostgreSQL's user. */
    const as = (program: string, ...args: string[]) => asOn(postgres.url, program, ...args);
    const asOn = (url: string, program: string, ...args: string[]) =>
      run(program, args, {
        ...account,
        cwd: folder,
        env: {
          PATH: `${postgresPrograms}:${process.env['PATH']}`,
          DATABASE_URL: url,
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

    async function nowOf(url: string): Promise<string> {
      const { moment } = await query<{ moment: string }>(
        url,
        `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moment`,
      );
      return moment;
    }

    /** Waits until the archive has all changes until now. */
    async function archiveAll(url: string): Promise<void> {
      const { file } = await query<{ file: string }>(
        url,
        'select pg_walfile_name(pg_switch_wal()) as file',
      );
      const archived = () =>
        query<{ done: boolean }>(
          url,
          `select coalesce(last_archived_wal >= '${file}', false) as done from pg_stat_archiver`,
        );
      await expect.poll(archived, { timeout: 60_000 }).toEqual({ done: true });
    }

    /** Starts PostgreSQL on restored data, and returns the address of a database of it when its changes are replayed. */
    async function startRestored(target: string, databaseUrl: string): Promise<string> {
      const port = await freePort();
      const options = `-h 127.0.0.1 -p ${port} -k '' -c fsync=off`;
      await as('pg_ctl', '-D', target, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
      restored = target;
      const url = Object.assign(new URL(databaseUrl), { port: `${port}` }).href;
      const recovering = () => query(url, 'select pg_is_in_recovery() as still');
      await expect.poll(recovering, { timeout: 60_000 }).toEqual({ still: false });
      return url;
    }

    /** Lets restored data be archived again. */
    async function goOn(url: string): Promise<void> {
      await query(url, 'alter system reset archive_command');
      await query(url, 'select pg_reload_conf()');
    }

    async function stopRestored(): Promise<void> {
      await as('pg_ctl', '-D', restored ?? '', '-w', '-m', 'immediate', 'stop');
      restored = undefined;
    }

    async function get(url: string, token = '') {
      const answer = await fetch(url, { headers: { authorization: token } });
      return (await answer.json()).data;
    }

    const serve = (url: string, ...args: string[]) =>
      new ServerProcess(dist, folder, ...args, '--database-url', url, '--seed', '7');

    inTurn(it, RARE)(
      'bring the database back as it was at a moment, with books that are right',
      async () => {
        const databaseUrl = await postgres.createDatabase();
        const server = serve(databaseUrl);
        const url = await server.url();
        const { token } = await get(
          `${url}/api/user/createAccountDemoForU?demo_id=${randomUUID()}`,
        );
        const list = await get(`${url}/v1/api/forex/trade_list`);
        const open = list.find(({ MarketStatus }: { MarketStatus: number }) => MarketStatus === 1);
        const multiple = open.HasForexMultiple.at(-1).Value;
        const order = `/v1/api/forex/submit?type=1&status=1&forex_id=${open.Id}&cont=${open.ForexMinCont}&multiple=${multiple}`;
        const place = async (at: string) => (await get(at + order, token)).Id as number;
        const openOrders = async (at: string) => {
          const { data: orders } = await get(
            `${at}/v1/api/forex/my_deal?status=1&limit=100`,
            token,
          );
          return orders.map(({ Id }: { Id: number }) => Id).sort((a: number, b: number) => a - b);
        };
        const booksAreRight = async (at: string) => {
          const audit = new ServerProcess(dist, folder, 'audit', '--database-url', at);
          expect([await audit.exit, audit.output]).toEqual([0, expect.any(String)]);
        };

        const before = [await place(url), await place(url)];
        await script('backup.sh');
        before.push(await place(url), await place(url));
        const moment = await nowOf(databaseUrl);
        const later = [await place(url), await place(url)];
        expect(new Set([...before, ...later]).size).toBe(6);
        const afterwards = await nowOf(databaseUrl);
        await place(url);
        await archiveAll(databaseUrl);
        await server.kill();
        await postgres.kill();

        const target = join(folder, 'restored');
        await script('restore.sh', target, moment);
        await expect(script('restore.sh', target, moment)).rejects.toThrow('exists');
        await expect(script('restore.sh', `${target}2`, '2020-01-01T00:00:00Z')).rejects.toThrow(
          'no base backup',
        );
        const restoredUrl = await startRestored(target, databaseUrl);
        await booksAreRight(restoredUrl);
        const again = serve(restoredUrl);
        const address = await again.url();
        expect(await openOrders(address)).toEqual(before);

        // It goes on as operations.md#postgresql has it, and is lost as well: all that was done since counts.
        await goOn(restoredUrl);
        const since = [await place(address)];
        await asOn(restoredUrl, join(folder, 'deploy/backup.sh'));
        since.push(await place(address), await place(address));
        await archiveAll(restoredUrl);
        await again.kill();
        await stopRestored();
        await script('restore.sh', `${target}2`);
        const secondUrl = await startRestored(`${target}2`, databaseUrl);
        await booksAreRight(secondUrl);
        const second = serve(secondUrl);
        expect(await openOrders(await second.url())).toEqual([...before, ...since]);
        await goOn(secondUrl);
        await archiveAll(secondUrl);
        await second.kill();
        await stopRestored();

        // From the first backup once more, to a moment that the first restore had left: its changes don't meet those since in
        // the archive.
        await script('restore.sh', `${target}3`, afterwards);
        const thirdUrl = await startRestored(`${target}3`, databaseUrl);
        const third = serve(thirdUrl);
        expect(await openOrders(await third.url())).toEqual([...before, ...later]);
        await third.kill();
        await goOn(thirdUrl);
        await archiveAll(thirdUrl);
      },
    );
  },
);
