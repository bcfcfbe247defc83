import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentNamed } from '../../../server/admin/commands';
import { verifications } from '../../../server/db/schema';
import { inTurn } from '../../helpers/samples';
import { onEachDatabase } from '../support/database';
import { instrument } from '../support/scriptedMarket';
import { as, TestServer } from '../support/testServer';
import { formOf, jpeg, upload } from '../uploads/pictures';
import { admin, adminTool, channelOf } from './adminCommand';

it('takes the instrument whose code is written, before others that only look like it', () => {
  const codes = ['ETH/USD', 'eth/USD', 'EURUSD'];
  const instruments = codes.map((code, at) => instrument(at + 1, code));
  const named = (text: string) => instrumentNamed({ instruments }, text).code;
  expect([...codes, 'eur/usd', 'EurUsd'].map(named)).toEqual([...codes, 'EURUSD', 'EURUSD']);
  expect(() => named('Eth/USD')).toThrow('There are several instruments Eth/USD. Nearest: ETH/USD');
});

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    const args = ['--no-auto-review', '--public-url', 'https://m.example.com/'];
    // A replay makes a database, which takes its time where there is none to copy.
    args.push('--command-days', '0');
    const instruments = [
      instrument(1, 'EURUSD'),
      instrument(2, 'GBPUSD'),
      instrument(3, 'XAUUSD', { name: 'Gold' }),
      instrument(4, 'NAS100', { name: 'US Tech 100' }),
      instrument(5, 'CLUSD', { name: 'Oil' }),
      instrument(6, 'BRUSD', { name: 'Oil' }),
    ];
    server = await TestServer.open(database.db, { args, instruments });
  });
  afterAll(() => server.close());
  const run = (...args: string[]) => admin(server.directory, args);

  /** Submits a verification and returns its number. */
  const submitted = async (name: string) => {
    const { token, user } = await server.realUser();
    const picture = await jpeg(64, 40);
    const urls = [];
    for (let i = 0; i < 2; i++) {
      urls.push((await upload(server.url, token, formOf(picture))).data.url);
    }
    const [front_pic, reverse_pic] = urls;
    const params = { name, card_id: 'X1234567', front_pic, reverse_pic };
    await server.post('/api/user_real/real_name', params, as(token));
    const { out } = await run('list', 'verification');
    const id = new RegExp(`verification (\\d+) .*user ${user.uid}`).exec(out)?.[1] ?? '';
    const center = async () => (await server.get('/api/user_real/center', as(token))).data;
    return { id, center, token, params, user };
  };

  inTurn(it)('lists its commands, also where no server runs', async () => {
    for (const args of [[], ['help'], ['--help']]) {
      const { code, out } = await adminTool('/nonexistent', args);
      expect(code).toBe(0);
      expect(out).toMatch(/approve KIND ID[\s\S]*KIND: verification/);
    }
  });

  it('has the commands and kinds that its help lists', async () => {
    const { out: help } = await adminTool(server.directory, ['help']);
    const named = [...help.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name as string);
    expect(named).toContain('credit');
    for (const name of new Set(named)) expect((await run(name)).out).not.toMatch(/no command/);
    const kinds = /KIND: (.*)/.exec(help)?.[1];
    expect((await run('show', 'nothing')).out).toBe(`There is no nothing here, only: ${kinds}.`);
  });

  inTurn(it)('refuses unknown commands and options', async () => {
    for (const [word, out] of [
      ['dance', /no command dance/],
      ['--all', /^Unknown option '--all'/],
    ] as const) {
      expect(await adminTool(server.directory, [word])).toMatchObject({
        code: 1,
        out: expect.stringMatching(out),
      });
    }
  });

  it('has the invitation code, which the log may have no more', async () => {
    expect(await run('invitation')).toEqual({ code: 0, out: server.inviteCode });
  });

  it('lists, shows and approves what users submit', async () => {
    const { id, center, user } = await submitted('Ada Lovelace');
    const { out } = await run('show', 'verification', id);
    expect(out).toContain(`user       ${user.uid}`);
    expect(out).toContain('name       Ada Lovelace');
    expect(out).toContain('number     X1234567');
    const [front = ''] = /(?<=front +https:\/\/m\.example\.com)\/\S+/.exec(out) ?? [];
    expect((await fetch(server.url + front)).headers.get('content-type')).toBe('image/jpeg');
    expect(await run('approve', 'verification', id)).toEqual({
      code: 0,
      out: `verification ${id}: approved.`,
    });
    expect(await center()).toMatchObject({ review_status: 2, name: 'Ada Lovelace', reason: '' });
    expect((await run('list')).out).toBe('Nothing waits.');
    for (const decision of [['approve'], ['reject']]) {
      expect(await run(...decision, 'verification', id, 'late')).toEqual({
        code: 1,
        out: 'This was already decided',
      });
    }
    expect((await center()).review_status).toBe(2);
  });

  it('escapes text of users, so that it cannot forge a line', async () => {
    const { id } = await submitted('Mallory');
    // As an older version stored it; today it is refused.
    const forged = 'Mallory\nnumber     OTHER\u001b[2J\u202Edlrow';
    await database.db.update(verifications).set({ name: forged }).where(eq(verifications.id, +id));
    const { out } = await run('show', 'verification', id);
    expect(out).toContain('name       Mallory\\u{a}number     OTHER\\u{1b}[2J\\u{202e}dlrow');
    expect(out.match(/^number /gm)).toHaveLength(1);
    for (const sign of ['\u001b', '\u202e']) expect(out).not.toContain(sign);
    // The operator's own mistakes come back as text too.
    expect((await run('show', 'verification', '\u001b[2J')).out).toBe('\\u{1b}[2J is no number.');
    await run('approve', 'verification', id);
  });

  it('rejects with a reason, after which the user may try again', async () => {
    const { id, center, token, params } = await submitted('Grace Hopper');
    expect((await run('reject', 'verification', id)).out).toBe('A rejection needs a reason.');
    expect((await run('reject', 'verification', id, 'The', 'photo', 'is dark.')).code).toBe(0);
    expect(await center()).toMatchObject({
      review_status: 0,
      name: 'Grace Hopper',
      reason: 'The photo is dark.',
    });
    const again = await server.post('/api/user_real/real_name', params, as(token));
    expect(again.code).toBe(1);
    expect(await center()).toMatchObject({ review_status: 1, reason: '' });
  });

  it.each([
    [['show', 'verification', '999999'], 'There is no verification 999999.'],
    [['approve', 'verification', '999999'], 'There is no verification 999999.'],
    [['reject', 'verification', '999999', 'dark'], 'There is no verification 999999.'],
    [['approve', 'verification', 'one'], 'one is no number.'],
    // The last id of the last engine.
    [['approve', 'verification', '2147483647'], 'There is no verification 2147483647.'],
    [['approve', 'verification', '2147483648'], '2147483648 is no number.'],
    [['approve', 'verification'], 'Which one? list names what waits.'],
    [['approve', 'pigeon', '1'], /^There is no pigeon here, only: verification/],
    [['approve'], /^Of which\? verification/],
    [['market', 'close', 'GBP'], /^There is no instrument GBP\. Nearest: GBPUSD \(GBP\/USD\), /],
    [['market', 'close', 'Golf'], /^There is no instrument Golf\. Nearest: XAUUSD \(Gold\), /],
    [['market', 'close', 'NOPE'], /^There is no instrument NOPE\. Nearest: ([^,]+, ){2}[^,]+$/],
    [
      ['market', 'close', 'Oil'],
      /^There are several instruments Oil\. Nearest: CLUSD \(Oil\), BRUSD/,
    ],
    [['market', 'close'], /^Which instrument\?/],
    [['market', 'sell', 'EURUSD'], 'market close or market open, not sell.'],
    [['news'], 'A news item needs a title.'],
    [['news', 'Title'], 'A news item needs its text, as in < FILE.'],
    [['constructor'], /^There is no command constructor/],
  ] as const)('explains what is wrong with %j', async (args, expected) => {
    const { code, out } = await run(...args);
    expect(code).toBe(1);
    expect(out).toMatch(expected);
  });

  inTurn(it)('posts a news item', async () => {
    const html = `<h1>P&amp;L</h1>\n<p>${'Margins&nbsp;<b>rise</b>. '.repeat(30)}</p>`;
    const { code, out } = await adminTool(server.directory, ['news', 'New', 'margin rates'], html);
    expect(code).toBe(0);
    const { rows } = await database.db.execute(
      'select title, "desc", content from news order by id desc limit 1',
    );
    expect(rows).toEqual([
      {
        title: 'New margin rates',
        desc: expect.stringMatching(/^P&L Margins rise\. .{100,150}…$/),
        content: html,
      },
    ]);
    expect(out).toMatch(/^news \d+: posted\.$/);
  });

  describe('what moves money', () => {
    /** Declares a deposit of 100 USDT and returns its number. */
    const declared = async () => {
      const { token, user } = await server.realUser();
      const { data } = await upload(
        server.url,
        token,
        formOf(await jpeg(64, 40 + declared.count++)),
      );
      const params = new URLSearchParams({
        ...{ number: '100', charge_id: '1', address: 'TSandboxDoNotSendRea1CoinsHere1111' },
        proofImg: data.url,
      });
      const { data: deposit } = await server.get(`/api/quickCharge/submit?${params}`, as(token));
      const balance = async () =>
        (await server.get('/v1/api/main/wallet/getBalance', as(token))).data.balance;
      return { id: String(deposit.id), user, balance };
    };
    declared.count = 0;

    it('is shown, and is not done before it is confirmed', async () => {
      const { id, user, balance } = await declared();
      const asked = await run('approve', 'deposit', id);
      expect(asked.code).toBe(2);
      for (const line of [
        new RegExp(`^approve deposit ${id}:$`, 'm'),
        new RegExp(`^user +${user.uid}$`, 'm'),
        /^status +under review$/m,
        /^by +TRC20$/m,
        /^credits +100 USD$/m,
        /^available: 0 USD before, 100 USD after\.$/m,
      ]) {
        expect(asked.out).toMatch(line);
      }
      expect(asked.out).not.toContain('remark');
      expect(await balance()).toBe('0.000000');
      expect((await run('log', user.uid)).out).toBe('There is nothing yet.');
      expect((await run('list', 'deposit')).out).toContain(`deposit ${id} `);
      const done = 'approved. available: 0 USD before, 100 USD after.';
      expect(await run('approve', 'deposit', id, '--confirm')).toEqual({
        code: 0,
        out: `deposit ${id}: ${done}`,
      });
      expect(await balance()).toBe('100.000000');
      for (const list of [['log', user.uid], ['decided'], ['decided', 'deposit']]) {
        const { out } = await run(...list);
        expect(out.split('\n')[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+ {2}/);
        expect(out).toContain(`  test  approve  deposit ${id}  user ${user.uid}  ${done}`);
      }
      expect((await run('decided', 'withdrawal')).out).not.toContain(`deposit ${id}`);
    });

    it('is decided once by operators who are at it together', async () => {
      const { id, user, balance } = await declared();
      const decisions = await Promise.all(
        ['ada', 'grace', 'joan', 'mary'].map((name, index) => {
          const decision =
            index % 2 ? ['reject', 'deposit', id, 'late'] : ['approve', 'deposit', id];
          return admin(server.directory, [...decision, '--confirm'], '', name);
        }),
      );
      expect(decisions.filter(({ code }) => code === 0)).toHaveLength(1);
      const { out } = await run('log', user.uid);
      expect(out.split('\n')).toHaveLength(1);
      expect(await balance()).toBe(out.includes('approved.') ? '100.000000' : '0.000000');
    });

    it('needs no confirmation where a decision moves none', async () => {
      const { id, user } = await declared();
      expect(await run('invalid', id, 'Forged')).toEqual({
        code: 0,
        out: `deposit ${id}: invalid.`,
      });
      expect((await run('log', user.uid)).out).toMatch(/test {2}invalid {2}.* {2}Forged$/);
    });

    it('is explained to a script, which gets an error that names --confirm', async () => {
      const { user, balance } = await declared();
      const credit = ['credit', user.uid, '5', 'Gift'];
      expect(await adminTool(server.directory, credit)).toEqual({
        code: 2,
        out:
          `credit user ${user.uid} 5 USD: Gift\navailable: 0 USD before, 5 USD after.\n` +
          'Nothing has changed: --confirm does it.',
      });
      expect(await balance()).toBe('0.000000');
      const named = ['--operator', 'Ada L.', '--confirm', ...credit];
      expect((await adminTool(server.directory, named)).code).toBe(0);
      expect(await balance()).toBe('5.000000');
      expect((await run('log', user.uid)).out).toContain('  Ada L.  credit  ');
    });

    it.each([
      ['no\n', 2, '0.000000'],
      ['', 2, '0.000000'],
      ['yes\n', 0, '5.000000'],
    ])('is asked at a terminal, where an end is a no: %j', async (typed, code, after) => {
      const { user, balance } = await declared();
      const terminal = ['--import', 'data:text/javascript,process.stdin.isTTY=true'];
      const tool = ['scripts/admin.mjs', '--data', server.directory];
      const credit = ['credit', user.uid, '5', 'Gift'];
      const child = spawn(process.execPath, [...terminal, ...tool, ...credit]);
      child.stdin.end(typed);
      expect(await once(child, 'exit')).toEqual([code, null]);
      expect(await balance()).toBe(after);
    });

    it('closes no market unasked', async () => {
      expect(await run('market', 'close', 'EURUSD')).toEqual({
        code: 2,
        out: 'This closes EURUSD for everybody until it is opened.',
      });
      expect((await run('market')).out).toBe('Nothing is closed.');
      await server.market.tick([1, 1.1]);
      expect((await run('market', 'close', 'eur/usd', '--confirm')).out).toBe('EURUSD is closed.');
      expect((await run('market', 'close', 'us', 'tech', '100')).out).toMatch(
        /^This closes NAS100 /,
      );
      const open = ['market', 'open', 'EURUSD'];
      expect(await run(...open)).toEqual({ code: 0, out: 'EURUSD is open.' });
      server.market.setOpen(1, false);
      expect((await run(...open)).out).toBe('EURUSD is open already within its hours.');
      server.market.setOpen(1, true);
      const [opened, closed] = (await run('log')).out.split('\n');
      expect(opened).toContain('  test  market open  EURUSD  opened.');
      expect(closed).toContain('  test  market close  EURUSD  closed.');
    });
  });

  describe('its channel', () => {
    it('is open to whoever can read the data directory', async () => {
      const { url, secret } = channelOf(server.directory);
      const command = { args: ['list'], input: '', operator: 'test', confirmed: false };
      expect(statSync(join(server.directory, 'desk.json')).mode & 0o777).toBe(0o600);
      expect(new URL(url).hostname).toBe('127.0.0.1');
      const ask = (authorization: string, body: object = command) =>
        fetch(url, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      for (const wrong of ['', 'x'.repeat(43), `Bearer ${secret}`, `${secret}é`]) {
        expect((await ask(wrong)).status).toBe(403);
      }
      expect((await ask(secret)).status).toBe(200);
      for (const wrong of [{ args: 'list' }, { operator: '' }, { operator: 'a\nb' }]) {
        expect((await ask(secret, { ...command, ...wrong })).status).toBeGreaterThanOrEqual(400);
      }
      expect((await fetch(`${server.url}/`, { method: 'POST' })).status).not.toBe(200);
    });

    inTurn(it)('closes with the server, which the tool then reports', async () => {
      const other = await TestServer.open(database.db);
      const left = JSON.stringify(
        JSON.parse(readFileSync(join(other.directory, 'desk.json'), 'utf8')),
      );
      await other.close();
      expect(existsSync(join(other.directory, 'desk.json'))).toBe(false);
      expect(await adminTool(other.directory, ['list'])).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^There is no running server/),
      });
      mkdirSync(join(other.directory, 'desk.json'));
      expect(await adminTool(other.directory, ['list'])).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^E\w+: .*Only the user of the server can: sudo -u USER$/),
      });
      rmdirSync(join(other.directory, 'desk.json'));
      writeFileSync(join(other.directory, 'desk.json'), left);
      expect(await adminTool(other.directory, ['list'])).toEqual({
        code: 1,
        out: 'The server does not answer. Is it still running?',
      });
      const again = await TestServer.open(database.db, { directory: other.directory });
      expect((await adminTool(other.directory, ['list'])).code).toBe(0);
      await again.close();
    });
  });
});
