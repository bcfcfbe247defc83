import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eq, getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { SessionRow } from '#domain/api/user';
import { toLeverage, toLots, toPrice, toUnitsPerLot, toUsd } from '#domain/core/units';
import { SESSIONS_CHECKED_EVERY_MS } from '../../../server/account/account';
import { deviceName } from '../../../server/account/devices';
import { decrypt, encrypt } from '../../../server/core/encryption';
import * as schema from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { admin } from '../admin/adminCommand';
import { TestClient } from '../socket/testSockets';
import { onEachDatabase } from '../support/database';
import { expectReplayed } from '../support/replayed';
import { as, from, PASSWORD, type Reply, TestServer } from '../support/testServer';
import { formOf, jpeg, upload } from '../uploads/pictures';

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
const TABLES = Object.values(schema).filter((value) => is(value, PgTable)) as PgTable[];
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

it('an encrypted text needs its key and its owner', () => {
  const key = Buffer.alloc(32, 1);
  const encrypted = encrypt(key, 'secret', '7');
  expect(encrypted).not.toContain('secret');
  expect(decrypt(key, encrypted, '7')).toBe('secret');
  expect(() => decrypt(key, encrypted, '8')).toThrow();
  expect(() => decrypt(Buffer.alloc(32, 2), encrypted, '7')).toThrow();
});

it('a device is named by browser and system', () => {
  expect(deviceName(CHROME)).toBe('Chrome, Android');
  expect(deviceName(FIREFOX)).toBe('Firefox, Linux');
  expect(deviceName('')).toBe('');
});

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  const call = (name: string, token: string, params = {}) =>
    server.form(`/api/user/${name}`, params, as(token));

  describe('devices', () => {
    const on = (agent: string, address = '203.0.113.1') => ({
      ...from(address),
      'user-agent': agent,
    });

    it('are listed, the current one included, and logged out singly or all others together', async () => {
      const { user } = await server.realUser();
      const login = async (agent: string) =>
        (await server.login(user.email, PASSWORD, on(agent))).data.token as string;
      const [phone, desk, third] = [
        await login(CHROME),
        await login(FIREFOX),
        await login(FIREFOX),
      ];
      server.clock.pass(60_000);
      await server.get('/api/user/info', as(phone));
      const list = async () => (await server.get('/api/user/sessions', as(phone))).data;
      const rows = await list();
      expect(rows).toHaveLength(4);
      expect(rows[0]).toMatchObject({
        device: 'Chrome, Android',
        current: 1,
        used_at: new Date(server.clock.now()).toISOString(),
      });
      expect(rows[1]).toMatchObject({ device: 'Firefox, Linux', current: 0 });

      const stranger = await server.realUser();
      expect((await call('session_end', stranger.token, { id: rows[1].id })).msg).toBe(
        'This device is not logged in any more',
      );
      expect((await call('session_end', phone, { id: rows[1].id })).code).toBe(1);
      expect(await list()).toHaveLength(3);
      expect((await call('session_end', phone, { others: 1 })).code).toBe(1);
      expect(await list()).toHaveLength(1);
      for (const token of [desk, third]) {
        expect((await server.get('/api/user/info', as(token))).code).toBe(999);
      }
    });

    const others: [string, (own: SessionRow, other: string) => Promise<unknown>][] = [
      ['a logout', (_own, other) => server.post('/api/user/logout', {}, as(other))],
      [
        'the list of devices',
        async (own) => {
          const rows = (await server.get('/api/user/sessions', as(own.token))).data;
          const { id } = rows.find(({ current }: { current: number }) => current === 0);
          return call('session_end', own.token, { id });
        },
      ],
      ['all at once', (own) => call('session_end', own.token, { others: 1 })],
      [
        'a new password',
        async ({ user }) => {
          await server.sendCode(user.email, 2);
          return server.forget(user.email, server.codeOf(user.email));
        },
      ],
      [
        'the closing of the account',
        ({ token }) => call('close_account', token, { password: PASSWORD }),
      ],
      [
        'its age',
        async ({ user }) => {
          const { sessions } = schema;
          const past = new Date(server.clock.now());
          await database.db
            .update(sessions)
            .set({ expiresAt: past })
            .where(eq(sessions.userId, user.id));
          server.clock.pass(SESSIONS_CHECKED_EVERY_MS);
          return { code: 1 };
        },
      ],
    ];
    it.each(others)('whose session is ended by %s hear it on their sockets', async (_how, end) => {
      const own = await server.realUser();
      const { token } = (await server.login(own.user.email)).data;
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`);
      const client = new TestClient(socket);
      await once(socket, 'open');
      await client.ask({ type: 'login', token });
      expect(await end(own, token)).toMatchObject({ code: 1 });
      await expect.poll(() => client.of('login').slice(1)).toEqual([{ type: 'login', code: 999 }]);
      client.socket.terminate();
    });

    it('that are new are reported by mail, known ones are not', async () => {
      const { user } = await server.realUser();
      const notices = () =>
        server.lettersTo(user.email).filter((line) => line.includes('new device'));
      for (const [agent, address, letters] of [
        [CHROME, '203.0.113.1', 1],
        [CHROME, '203.0.113.1', 1],
        [FIREFOX, '203.0.113.1', 2],
        [CHROME, '198.51.100.7', 3],
      ] as const) {
        await server.login(user.email, PASSWORD, on(agent, address));
        expect(notices()).toHaveLength(letters);
      }
      expect(notices()[0]).toContain('Chrome, Android');
    });
  });

  describe("a user's own data", () => {
    it('are downloaded with the password, without secrets', async () => {
      const { token, user } = await server.realUser();
      const bind = { draw_id: 1, dc_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
      await server.post(
        '/api/notify/send_email',
        { to: '', area_id: 0, type: 3, ...bind },
        as(token),
      );
      const sms_code = server.codeOf(user.email);
      await server.form('/api/wallet/bind_draw_method', { ...bind, type: 1, sms_code }, as(token));
      const gift = ['credit', user.uid, '5', 'a gift', '--confirm'];
      await admin(server.directory, gift, '', 'Mallory');
      expect((await call('export', token, { password: 'wrong one' })).msg).toBe(
        'The password is wrong',
      );
      const { data } = await call('export', token, { password: PASSWORD });
      expect(data.users).toEqual([expect.objectContaining({ id: user.id, email: user.email })]);
      expect(data.payout_methods).toEqual([expect.objectContaining({ address: bind.dc_address })]);
      expect(data.sessions).toHaveLength(1);
      const purposes = data.codes.map(({ purpose }: { purpose: string }) => purpose).sort();
      expect(purposes).toEqual(['bind', 'register']);
      expect(data.desk_actions).toEqual([
        expect.objectContaining({ action: 'credit', reason: 'a gift' }),
      ]);
      expect(JSON.stringify(data)).not.toMatch(/argon2|tokenHash|Mallory|"hash"/);
    });

    it('have addresses that open the pictures', async () => {
      const { token } = await server.realUser();
      await upload(server.url, token, formOf(await jpeg()));
      const { data } = await call('export', token, { password: PASSWORD });
      const response = await fetch(data.picture_files[0]);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
    });

    it('have the amounts of an order with all decimals, as its row has them', async () => {
      const { token, user } = await server.realUser();
      const price = toPrice('1.1');
      await database.db.insert(schema.orders).values({
        // The server counts its own from 1.
        id: 1_000_000,
        ...{ userId: user.id, feed: 'test', instrumentId: 1, code: 'EURUSD', name: 'EUR/USD' },
        ...{ precision: 5, unitsPerLot: toUnitsPerLot('100000'), side: 'buy', lots: toLots('0.1') },
        ...{ leverage: toLeverage('100'), approach: '', status: 'closed', closeReason: 'user' },
        ...{ originPrice: price, price, closePrice: price, stopLoss: price, takeProfit: price },
        ...{ margin: toUsd('110'), fee: toUsd('2.5'), profit: toUsd('-0.25') },
        createdAt: server.clock.now(),
      });
      const { data } = await call('export', token, { password: PASSWORD });
      expect(data.orders).toEqual([
        expect.objectContaining({
          margin: '110.00',
          fee: '2.50',
          profit: '-0.250000',
          lots: '0.1',
        }),
      ]);
    });

    it('include every table that refers to a user', async () => {
      const { token } = await server.realUser();
      const { data } = await call('export', token, { password: PASSWORD });
      const named = TABLES.filter((table) =>
        Object.keys(getTableColumns(table)).some((name) =>
          /^(userId|ownerId|owner|uid|address)$/.test(name),
        ),
      );
      // Strategy accounts have no owner.
      const expected = named.map(getTableName).filter((name) => name !== 'traders');
      expect(expected.length).toBeGreaterThan(12);
      expect(Object.keys(data)).toEqual(expect.arrayContaining(expected));
    });

    it('wrong passwords count towards the wait of the login', async () => {
      const { token, user } = await server.realUser();
      for (let n = 0; n < 5; n++) await call('close_account', token, { password: 'wrong one' });
      expect((await server.login(user.email)).code).toBe(429);
      expect((await call('export', token, { password: PASSWORD })).code).toBe(429);
      server.clock.pass(1_000);
      expect((await server.login(user.email)).code).toBe(1);
    });

    it('are erased when the account is closed, and nobody logs in to it afterwards', async () => {
      const { token, user } = await server.realUser();
      expect((await call('close_account', token, { password: PASSWORD })).code).toBe(1);
      expect((await server.get('/api/user/info', as(token))).code).toBe(999);
      expect((await server.login(user.email)).msg).toBe('The account or the password is wrong');
      expect(server.lettersTo(user.email).at(-1)).toContain('Your account was closed');
      const { db } = database;
      const [row] = await db.select().from(schema.users).where(eq(schema.users.id, user.id));
      expect(row).toMatchObject({ email: '', mobile: '', inviteCode: '', uid: user.uid });
      expect(row?.closedAt).toEqual(new Date(server.clock.now()));
      for (const table of [schema.credentials, schema.sessions, schema.knownDevices]) {
        expect(await db.$count(table, eq(table.userId, user.id))).toBe(0);
      }
      // The address is free again.
      server.clock.pass(60_000);
      expect((await server.realUser(user.email)).user.id).not.toBe(user.id);
    });

    it('are erased where one picture proves a deposit and shows a passport', async () => {
      const { token, user } = await server.realUser();
      const photos = await Promise.all(
        [64, 65].map(async (width) => {
          const { data } = await upload(server.url, token, formOf(await jpeg(width, 40)));
          return data.url as string;
        }),
      );
      const [shared = '', reverse = ''] = photos;
      const wire = new URLSearchParams({ number: '100.00', proofImg: shared, wire_id: '2' });
      const declared = await server.get(`/api/quickCharge/wire_submit?${wire}`, as(token));
      expect(declared.code).toBe(1);
      const passport = { name: 'Ada Lovelace', card_id: 'X1234567' };
      const pictures = { front_pic: shared, reverse_pic: reverse };
      const submitted = { ...passport, ...pictures };
      expect((await server.post('/api/user_real/real_name', submitted, as(token))).code).toBe(1);
      const { db } = database;
      const own = eq(schema.deposits.userId, user.id);
      await db.update(schema.deposits).set({ status: 'rejected' }).where(own);
      expect((await call('close_account', token, { password: PASSWORD })).code).toBe(1);
      const [deposit] = await db.select().from(schema.deposits).where(own);
      const { id, keptFor, ownerId } = schema.pictures;
      const rows = db.select({ id, keptFor }).from(schema.pictures);
      const left = () => rows.where(eq(ownerId, user.id));
      await expect.poll(left).toEqual([{ id: deposit?.proof, keptFor: 'deposit' }]);
      expect(readdirSync(join(server.directory, 'uploads'))).not.toContain(`${deposit?.proof}.jpg`);
    });

    it('are kept while there is money, an order or a deposit under review', async () => {
      const { token, user } = await server.realUser();
      const closing = () => call('close_account', token, { password: PASSWORD });
      const operator = (...words: string[]) => admin(server.directory, [...words, '--confirm']);
      const { data } = await upload(server.url, token, formOf(await jpeg(66, 40)));
      const wire = new URLSearchParams({ number: '100.00', proofImg: data.url, wire_id: '2' });
      const declared = await server.get(`/api/quickCharge/wire_submit?${wire}`, as(token));
      expect((await closing()).msg).toContain('A deposit is still under review');
      await operator('reject', 'deposit', String(declared.data.id), 'not seen');
      await operator('credit', user.uid, '200.0001', 'test');
      await server.market.tick([1, 1.1]);
      const terms = 'forex_id=1&type=1&status=0&cont=0.01&target_price=1.05&multiple=100';
      const order = (await server.get(`/v1/api/forex/submit?${terms}`, as(token))).data;
      expect((await closing()).msg).toContain('There are still open orders');
      await server.get(`/v1/api/forex/cancel_trade?id=${order.Id}`, as(token));
      expect((await closing()).msg).toContain('200.00 USD in the account');
      await operator('debit', user.uid, '190', 'test');
      expect((await closing()).msg).toContain('10.00 USD in the account, frozen');
      await operator('debit', user.uid, '0.01', 'test');
      expect((await closing()).msg).toContain('9.99 USD in the account, too little to withdraw');
      await operator('debit', user.uid, '9.99', 'test');
      expect((await closing()).code).toBe(1);
    });

    it('are kept while there is money in a fund', async () => {
      const { token, user } = await server.realUser();
      await admin(server.directory, ['credit', user.uid, '1500', 'test', '--confirm']);
      const { code, data } = await server.get('/api/fund/buy?id=7&amount=1500', as(token));
      expect(code).toBe(1);
      const closing = () => call('close_account', token, { password: PASSWORD });
      expect((await closing()).msg).toContain('1,500.00 USD in the account');
      await server.get(`/api/fund/applyRefund?sub_id=${data.id}`, as(token));
      expect((await closing()).msg).toContain('1,500.00 USD in the account');
    });
  });
});

onEachDatabase((database) => {
  it('a closed account leaves no word of its user or of the operator, and those of others', async () => {
    const server = await TestServer.open(database.db, {
      args: ['--no-draw-verify', '--no-auto-review'],
    });
    const operator = async (...words: string[]) => {
      const { code, out } = await admin(server.directory, [...words, '--confirm']);
      expect(code, out).toBe(0);
      return out;
    };
    const done = async (answer: Promise<Reply>) => {
      const { code, msg, data } = await answer;
      expect(code, msg).toBe(1);
      return data;
    };
    const later = async () => {
      server.market.pass(60_000);
      await server.market.tick([1, 1.1]);
      return new Date(server.market.now()).toISOString();
    };
    /** A user who writes this word wherever there is room, and whose requests an operator refuses with it. */
    const userOf = async (word: string) => {
      const { token, user } = await server.realUser(`${word}@example.com`);
      const get = (path: string) => done(server.get(path, as(token)));
      const post = (path: string, params: object) => done(server.post(path, params, as(token)));
      const picture = async (width: number) =>
        (await upload(server.url, token, formOf(await jpeg(width, 40)))).data.url as string;
      await operator('credit', user.uid, '5000', word);
      const from = await later();
      await get('/v1/api/forex/submit?forex_id=1&type=1&status=1&cont=0.01&multiple=100');
      const to = await later();
      const window = ['--instrument', 'EURUSD', '--from', from, '--to', to];
      await operator('bust', ...window, '--reason', word);
      const [front_pic, reverse_pic] = [await picture(64), await picture(65)];
      const passport = { name: word, card_id: word, front_pic, reverse_pic };
      await post('/api/user_real/real_name', passport);
      const proofImg = encodeURIComponent(await picture(66));
      await get(`/api/quickCharge/wire_submit?number=100&wire_id=2&proofImg=${proofImg}`);
      const bank = { bank_name: word, bank_address: word, branch_name: word, remark: word };
      const payee = { bank_swift: 'HARBHKHH', payee_name: word, payee_account: word };
      const method = { draw_id: 4, type: 2, ...bank, ...payee };
      const { id } = await post('/api/wallet/bind_draw_method', method);
      const withdrawal = { draw_currency_id: 4, number: '100', memo: word, draw_method_id: id };
      await post('/api/account/draw', withdrawal);
      const fund = await get('/api/fund/buy?id=7&amount=10');
      await get(`/api/fund/applyRefund?sub_id=${fund.id}`);
      await get(`/v1/api/forex/alert_add?forex_id=1&price=1.2&quote=1.1&note=${word}`);
      await post('/api/user/settings', { name: 'watchlists', set: { 'list/1': { name: word } } });
      const waiting = new RegExp(`^(\\w+) (\\d+) .* user ${user.uid}\\b`, 'gm');
      for (const [, kind = '', number = ''] of (await operator('list')).matchAll(waiting))
        await operator('reject', kind, number, word);
      return { uid: user.uid, token, withdraw: () => post('/api/account/draw', withdrawal) };
    };
    const stored = async (word: string) => {
      const texts = TABLES.map(async (table) => {
        const rows = sql`select to_jsonb(t)::text as text from ${table} t`;
        const { rows: found } = await database.db.execute<{ text: string }>(rows);
        return found.filter(({ text }) => text.includes(word)).map(() => getTableName(table));
      });
      return [...new Set((await Promise.all(texts)).flat())].sort();
    };

    const other = await userOf('remaining');
    await other.withdraw();
    const own = await userOf('forgotten');
    server.clock.jump(7 * 86_400_000);
    const of = (user: { token: string }, call: string) =>
      done(server.form(`/api/user/${call}`, { password: PASSWORD }, as(user.token)));
    const funds = async () => {
      // The payments' next run may be planned only after the jump.
      server.clock.pass(1);
      return (await server.get('/api/fund/subList', as(own.token))).data.data;
    };
    await expect.poll(funds).toMatchObject([{ status: 4, reason: 'forgotten' }]);
    await operator('debit', own.uid, '5000', 'forgotten');
    await expect.poll(() => stored('remaining')).not.toContain('codes');
    await server.sendCode('forgotten@example.com', 2);
    expect(await stored('forgotten')).toEqual([...(await stored('remaining')), 'codes'].sort());
    const before = await of(other, 'export');
    await of(own, 'close_account');
    expect(await stored('forgotten')).toEqual([]);
    expect(await of(other, 'export')).toEqual(before);
    expect(await audit(database.db)).toEqual([]);
    await expectReplayed(database);
    await server.close();
  });
});
