import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { IDS_OF_SHARD, shardOfToken, tokenPrefix } from '../../../server/cluster/shards';
import { missing, postgresPrograms } from '../../helpers/installed';
import { notItsTurn, RARE } from '../../helpers/samples';
import { SoftAuthenticator } from '../../helpers/softAuthenticator';
import { unless } from '../../helpers/unless';
import { admin } from '../admin/adminCommand';
import { TestClient } from '../socket/testSockets';
import { type Nats, startNats } from '../support/nats';
import { type Cluster, startCluster } from '../support/postgres';
import { bundleServer, ServerProcess } from '../support/serverProcess';

const MARKET = ['--seed', '7', '--instruments', '12', '--ticks-per-second', '60'];

const PAGE = 'https://m.example.com';

/** Processes of a busy machine start slowly. */
const SOON = { timeout: 60_000 };

// One cluster for all tests, in their order: what one of them has ended, it starts again.
unless(describe, missing('NATS', 'PostgreSQL') ?? notItsTurn('shards', RARE))(
  'accounts on two engines',
  { timeout: 120_000 },
  () => {
    let dist: string;
    let nats: Nats;
    let postgres: Cluster;
    /** PostgreSQL of another machine. */
    let elsewhere: Cluster | undefined;
    let data: string;
    let url: string;
    const databases = new Map<string, string>();
    const running = new Map<string, ServerProcess>();
    const sockets = new Set<WebSocket>();

    beforeAll(async () => {
      vi.stubEnv('FULCRUM_SECRET', 'the same for all engines');
      data = mkdtempSync(join(tmpdir(), 'fulcrum-shards-'));
      [dist, nats, postgres] = await Promise.all([bundleServer(), startNats(), startCluster()]);
      for (const name of ['feed', 'engine-1', 'engine-2']) {
        databases.set(name, await postgres.createDatabase());
      }
    }, 240_000);
    afterAll(async () => {
      for (const socket of sockets) socket.terminate();
      await Promise.all([...running.values()].map((each) => each.kill()));
      await nats.kill();
      await postgres.stop();
      await elsewhere?.stop();
      vi.unstubAllEnvs();
      for (const directory of [data, dist]) rmSync(directory, { recursive: true, force: true });
    }, 60_000);

    const directoryOf = (name: string) => join(data, name);
    const output = (name: string) => running.get(name)?.output ?? '';
    function run(name: string, ...args: string[]): ServerProcess {
      mkdirSync(directoryOf(name), { recursive: true });
      const [role = ''] = name.split('-');
      const common = ['--role', role, '--bus', nats.url, '--trust-proxy', 'loopback'];
      const process = new ServerProcess(dist, directoryOf(name), ...common, ...args);
      running.set(name, process);
      return process;
    }
    const database = (name: string) => ['--database-url', databases.get(name) ?? ''];
    const feed = (name = 'feed') => run(name, ...MARKET, ...database('feed'), '--standby');
    const engine = (index: number) =>
      run(
        `engine-${index}`,
        ...['--shard', `${index}/2`, '--public-url', PAGE],
        ...database(`engine-${index}`),
      );
    /** A token that no engine knows is refused by the one it names, once that takes calls. */
    const isServed = async (shard: number) =>
      (await ask(`${url}/api/user/info`, tokenPrefix(shard) + 'A'.repeat(43))).code === 999;

    const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
    async function ask(address: string, token = '', form?: Record<string, string>, headers = {}) {
      const answer = await fetch(address, {
        headers: { ...(token && { authorization: token }), ...headers },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      return { status: answer.status, ...(await answer.json()) };
    }
    const post = async (name: string, params: object, token = '') => {
      const headers = {
        'content-type': 'application/json',
        ...(token && { authorization: token }),
      };
      const body = JSON.stringify(params);
      return (await fetch(`${url}/api/user/${name}`, { method: 'POST', headers, body })).json();
    };
    const openDemo = async (id: string = randomUUID()) => {
      const { data: opened } = await ask(`${url}/api/user/createAccountDemoForU?demo_id=${id}`);
      return { demo: id, token: opened.token as string, id: opened.user.id as number };
    };

    /** A demo user of each engine. */
    async function traders() {
      const found = new Map<number, Awaited<ReturnType<typeof openDemo>>>();
      while (found.size < 2) {
        const user = await openDemo();
        found.set(shardOfToken(user.token), user);
      }
      const userOf = (shard: number) => found.get(shard) as Awaited<ReturnType<typeof openDemo>>;
      return [userOf(1), userOf(2)] as const;
    }

    async function order(token: string, key: string = randomUUID()) {
      const { data: list } = await ask(`${url}/v1/api/forex/trade_list`);
      const open = list.find(({ MarketStatus }: { MarketStatus: number }) => MarketStatus === 1);
      if (!open) return { code: 0, data: undefined, status: 200 };
      const { Id, ForexMinCont, HasForexMultiple } = open;
      const multiple = HasForexMultiple[0].Value;
      return ask(
        `${url}/v1/api/forex/submit?forex_id=${Id}&type=1&status=1&cont=${ForexMinCont}&multiple=${multiple}`,
        token,
        undefined,
        { 'idempotency-key': key },
      );
    }

    function booksAreRight(): void {
      for (const name of ['engine-1', 'engine-2']) {
        const program = [join(dist, 'server/main.js'), 'audit', ...database(name)];
        const { status, stdout } = spawnSync(process.execPath, program);
        expect([status, `${stdout}`]).toEqual([0, 'The books are right.\n']);
      }
    }

    async function connect(): Promise<TestClient> {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`);
      sockets.add(socket);
      const client = new TestClient(socket);
      await once(socket, 'open');
      return client;
    }

    it('start in any order', async () => {
      // Nothing finds what it waits for.
      const gateway = run('gateway');
      engine(1);
      engine(2);
      await expect.poll(() => output('engine-2'), SOON).toContain('Waiting for a feed');
      feed();
      url = await gateway.url();
      await Promise.all([...running.values()].map((each) => each.url()));
      for (const shard of [1, 2]) await expect.poll(() => isServed(shard), SOON).toBe(true);
    });

    it('are found by token and by name, trade at one market, and have ids of their own', async () => {
      const users = await traders();
      for (const [index, user] of users.entries()) {
        const first = index * IDS_OF_SHARD;
        expect(user.id).toBeGreaterThanOrEqual(first);
        expect(user.id).toBeLessThan(first + IDS_OF_SHARD);
        // The device comes again.
        expect(await openDemo(user.demo)).toMatchObject({ id: user.id });
        const client = await connect();
        await client.ask(
          { type: 'sub', topic: 'FOREX_TRADE' },
          { type: 'login', token: user.token },
        );
        expect(client.of('login')).toMatchObject([{ code: 1 }]);
        const { data: placed } = await order(user.token);
        expect(Math.floor(placed.Id / IDS_OF_SHARD)).toBe(index);
        await expect
          .poll(() => client.data<{ Id: number }>('FOREX_TRADE').map(({ Id }) => Id))
          .toContain(placed.Id);
        expect(await ask(`${url}/api/user/logout`, user.token, {})).toMatchObject({ code: 1 });
        await client.ask({ type: 'login', token: user.token });
        expect(client.of('login').at(-1)).toMatchObject({ code: 999 });
      }
      // The prices of all engines are those of the feed.
      const [one = '', two = ''] = await Promise.all(
        ['engine-1', 'engine-2'].map((name) => running.get(name)?.url()),
      );
      const bars = '/v1/api/forex/kline?forex_id=1&period=60min';
      const closed = async (at: string) => (await ask(at + bars)).data[0];
      expect(await closed(one)).toEqual(await closed(two));
      expect(await closed(url)).toEqual(await closed(two));

      // Whoever registers gets a place; an invitation counts whichever engine its owner is on.
      const outputs = () => output('engine-1') + output('engine-2');
      const invitation = /Invitation code: (\w+)/.exec(outputs())?.[1] ?? '';
      const shards = new Set<number>();
      let inviter = invitation;
      for (let count = 0; shards.size < 2; count++) {
        const account = `user${count}@example.com`;
        const sent = { to: account, type: '1', area_id: '0' };
        expect(await ask(`${url}/api/notify/send_email`, '', sent)).toMatchObject({ code: 1 });
        const code = () => new RegExp(`${account}: [^]*?\\b(\\d{6})\\b`).exec(outputs())?.[1];
        await expect.poll(code, SOON).toBeDefined();
        const secret = {
          password: 'a long enough phrase 9',
          re_password: 'a long enough phrase 9',
        };
        const made = await ask(`${url}/api/user/register`, '', {
          ...{ type: 'email', account, area_id: '0', ...secret, invite_code: inviter },
          ...{ sms_code: code() ?? '', key: '', mobile: '' },
        });
        expect(made).toMatchObject({ code: 1 });
        inviter = made.data.user.invite_code;
        shards.add(shardOfToken(made.data.token));
        const again = { account, password: secret.password, login_type: 'email' };
        const { data: session } = await ask(`${url}/api/user/loginForU`, '', again);
        expect(session.user.id).toBe(made.data.user.id);
        expect(shardOfToken(session.token)).toBe(shardOfToken(made.data.token));
        // So does a passkey, which names nobody; its challenge is the first engine's.
        const passkey = new SoftAuthenticator(PAGE);
        const { token } = session;
        const proof = { password: secret.password };
        const { data: creation } = await post('passkey_options', proof, token);
        const added = await post('passkey_add', { response: passkey.create(creation) }, token);
        expect(added).toMatchObject({ code: 1 });
        const { data: asked } = await post('passkey_login_options', {});
        const entered = await post('passkey_login', { response: passkey.get(asked) });
        expect(entered.data.user.id).toBe(made.data.user.id);
        expect(shardOfToken(entered.data.token)).toBe(shardOfToken(token));
      }
    });

    it('an engine that was killed: only its users wait, and a repeated order is the same one', async () => {
      const [first, second] = await traders();
      const key = randomUUID();
      const { data: placed } = await order(second.token, key);
      await running.get('engine-2')?.kill();
      expect(await order(second.token, key)).toMatchObject({ status: 503 });
      expect(await order(first.token)).toMatchObject({ code: 1 });
      await engine(2).url();
      await expect
        .poll(async () => (await order(second.token, key)).data?.Id, SOON)
        .toBe(placed.Id);
      const { data: orders } = await ask(`${url}/v1/api/forex/my_deal?status=1`, second.token);
      expect(orders.data).toHaveLength(1);
    });

    it('without a feed nothing is filled, and its successor goes on with the same market', async () => {
      const [, user] = await traders();
      expect(await order(user.token)).toMatchObject({ code: 1 });
      await running.get('feed')?.kill();
      await expect.poll(async () => (await order(user.token)).code, SOON).toBe(0);
      await feed().url();
      await expect.poll(async () => (await order(user.token)).code, SOON).toBe(1);
    });

    const operator = async (index: number, ...args: string[]) =>
      (await admin(directoryOf(`engine-${index}`), ['market', ...args])).out;

    it('a market that the operator closes at one engine is closed for all', async () => {
      const [user] = await traders();
      const { data: list } = await ask(`${url}/v1/api/forex/trade_list`);
      const open = list.find(({ MarketStatus }: { MarketStatus: number }) => MarketStatus === 1);
      expect(await operator(2, 'close', open.Code, '--confirm')).toContain('is closed');
      const status = async () => {
        const { data: now } = await ask(`${url}/v1/api/forex/trade_list`);
        return now.find(({ Id }: { Id: number }) => Id === open.Id).MarketStatus;
      };
      await expect.poll(status).toBe(0);
      const multiple = open.HasForexMultiple[0].Value;
      const at = `/v1/api/forex/submit?forex_id=${open.Id}&type=1&status=1&cont=${open.ForexMinCont}&multiple=${multiple}`;
      // The gateway may hear it before the engine does.
      await expect.poll(async () => (await ask(url + at, user.token)).code, SOON).not.toBe(1);
      expect(await operator(1)).toContain(open.Code);
      await operator(1, 'open', open.Code);
      await expect.poll(status).toBe(1);
    });

    it('a feed that hangs is replaced when its lease has run out, and is not heard again', async () => {
      const active = running.get('feed');
      const standby = feed('feed-2');
      await expect.poll(() => standby.output, SOON).toContain('Standing by');
      active?.child.kill('SIGSTOP');
      await standby.url();
      await expect.poll(isReady, SOON).toBe(true);
      active?.child.kill('SIGCONT');
      // It finds that another process has its database.
      expect(await active?.exit).toBe(1);
      // A gateway that hears the successor only now asks it for a snapshot first.
      await expect.poll(isReady, SOON).toBe(true);
    });

    it('an engine that is moved to another machine as a whole: its accounts go on there', async () => {
      const [, user] = await traders();
      const key = randomUUID();
      const { data: placed } = await order(user.token, key);
      /** What is stored of the user. Profits follow the prices. */
      const seen = async () => {
        const answers: unknown[] = [];
        for (const path of [
          '/api/user/info',
          '/v1/api/main/wallet/getBalance',
          '/v1/api/main/accountLog/forexChange',
        ]) {
          const { code, data: found } = await ask(url + path, user.token);
          answers.push([path, code, found]);
        }
        const { data: open } = await ask(`${url}/v1/api/forex/my_deal?status=1`, user.token);
        for (const { Id, Price, CautionMoney, TradeFee } of open.data) {
          answers.push([Id, Price, CautionMoney, TradeFee]);
        }
        return answers;
      };
      const before = await seen();
      const former = running.get('engine-2');
      former?.child.kill('SIGTERM');
      expect(await former?.exit).toBe(0);
      // It has closed all that it had open.
      expect(existsSync(join(directoryOf('engine-2'), 'desk.json'))).toBe(false);
      expect(await order(user.token, key)).toMatchObject({ status: 503 });

      // As operations.md#several-processes says.
      elsewhere = await startCluster();
      const [backup, restored] = [join(data, 'engine2.dump'), await elsewhere.createDatabase()];
      const runProgram = (program: string, ...args: string[]) => {
        const { status, stderr } = spawnSync(join(postgresPrograms ?? '', program), args);
        expect([status, `${stderr}`]).toEqual([0, '']);
      };
      runProgram(
        'pg_dump',
        '--format',
        'custom',
        '--file',
        backup,
        databases.get('engine-2') ?? '',
      );
      runProgram('pg_restore', '--no-owner', '--dbname', restored, backup);
      databases.set('engine-2', restored);
      await engine(2).url();
      await running.get('gateway')?.kill();
      url = await run('gateway').url();
      for (const shard of [1, 2]) await expect.poll(() => isServed(shard), SOON).toBe(true);

      await expect.poll(async () => (await order(user.token, key)).data?.Id, SOON).toBe(placed.Id);
      expect(await seen()).toEqual(before);
      expect(await openDemo(user.demo)).toMatchObject({ id: user.id });
      const client = await connect();
      await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token: user.token });
      expect(client.of('login')).toMatchObject([{ code: 1 }]);
      const { data: next } = await order(user.token);
      expect(next.Id).toBeGreaterThan(placed.Id);
      expect(Math.floor(next.Id / IDS_OF_SHARD)).toBe(1);
      await expect
        .poll(() => client.data<{ Id: number }>('FOREX_TRADE').map(({ Id }) => Id))
        .toContain(next.Id);
      booksAreRight();
    });

    it('a database is not taken for another part of the accounts', async () => {
      await running.get('engine-2')?.kill();
      const wrong = run('engine-3', '--shard', '1/2', ...database('engine-2'));
      expect(await wrong.exit).toBe(1);
      expect(wrong.output).toContain('has the accounts of engine 2');
    });
  },
);
