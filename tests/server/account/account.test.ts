import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionRow, UserRow } from '#domain/api/user';
import { inTurn } from '../../helpers/samples';
import { onEachDatabase } from '../support/database';
import { ORDER, TestExchange } from '../trading/testExchange';

const DAY = 86_400_000;

onEachDatabase((database) => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await TestExchange.open(database.db);
  });
  afterAll(() => exchange.close());

  describe('createAccountDemoForU', () => {
    const create = (demo_id: string, headers = {}) =>
      exchange.get<SessionRow>('/api/user/createAccountDemoForU', { demo_id }, headers);

    it('creates a demo account with a token and its starting balance', async () => {
      const { code, msg, data } = await create(randomUUID());
      expect([code, msg]).toEqual([1, '']);
      expect(data.user).toEqual({
        id: expect.any(Number),
        uid: expect.stringMatching(/^\d{9}$/),
        email: '',
        mobile: '',
        is_demo: 1,
        invite_code: '',
        otp: 0,
      });
      // At least 128 bits, in base64url.
      expect(data.token).toMatch(/^[\w-]{43}$/);
      const headers = { authorization: data.token };
      expect((await exchange.get<UserRow>('/api/user/info', {}, headers)).data).toEqual(data.user);
      expect((await exchange.get('/v1/api/main/wallet/getBalance', {}, headers)).data).toEqual({
        balance: '100000.000000',
        lock_balance: '0.000000',
      });
    });

    it('returns the same account for the same id in upper and lower case, with another session', async () => {
      const id = randomUUID();
      const [first, again] = [await create(id), await create(id.toUpperCase())];
      expect(again.data.user).toEqual(first.data.user);
      expect(again.data.token).not.toBe(first.data.token);
      for (const { data } of [first, again]) {
        const { code } = await exchange.get('/api/user/info', {}, { authorization: data.token });
        expect(code).toBe(1);
      }
    });

    it('creates one account for many simultaneous calls', async () => {
      const id = randomUUID();
      const all = await Promise.all(Array.from({ length: 20 }, () => create(id)));
      expect(new Set(all.map(({ data }) => data.user.id)).size).toBe(1);
      expect(new Set(all.map(({ data }) => data.token)).size).toBe(20);
    });

    it.each(['', 'me', '123', `${randomUUID()}0`])('refuses the id "%s"', async (id) => {
      expect(await create(id)).toMatchObject({ code: 400, data: null });
    });

    it('refuses requests from other sites', async () => {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      expect((await create(randomUUID(), headers)).code).toBe(403);
    });
  });

  describe('a session', () => {
    const codeOf = async (authorization: string) =>
      (await exchange.get('/api/user/info', {}, { authorization })).code;

    it('accepts only the bare token in the header', async () => {
      const { token } = await exchange.demo();
      expect(await codeOf(token)).toBe(1);
      for (const wrong of ['', `Bearer ${token}`, `${token}x`, token.slice(1), token.toLowerCase()])
        expect(await codeOf(wrong)).toBe(999);
      expect((await exchange.get('/api/user/info', { authorization: token, token })).code).toBe(
        999,
      );
    });

    it('is stored only as a hash', async () => {
      const { token } = await exchange.demo();
      const { rows } = await database.db.execute<{ found: string }>(
        sql`select s::text as found from sessions s`,
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ found }) => found.includes(token))).toEqual([]);
    });

    it('ends by logout, and other sessions of the user go on', async () => {
      const id = randomUUID();
      const [one, other] = [await exchange.demo(id), await exchange.demo(id)];
      const answer = await exchange.raw(
        '/api/user/logout',
        {},
        { authorization: one.token },
        'POST',
      );
      expect(JSON.parse(answer.text)).toEqual({ code: 1, msg: '', data: null });
      expect([await codeOf(one.token), await codeOf(other.token)]).toEqual([999, 1]);
    });

    inTurn(it)('ends thirty days after its last use', async () => {
      const { token } = await exchange.demo();
      // An account that was never used would be removed.
      await exchange.get('/v1/api/forex/submit', ORDER, { authorization: token });
      exchange.clock.pass(29 * DAY);
      expect(await codeOf(token)).toBe(1);
      exchange.clock.pass(29 * DAY);
      expect(await codeOf(token)).toBe(1);
      exchange.clock.pass(30 * DAY);
      expect(await codeOf(token)).toBe(999);
    });
  });

  describe('without a token', () => {
    it.each([
      ['GET', '/api/user/info', {}],
      ['POST', '/api/user/logout', {}],
      ['GET', '/v1/api/forex/submit', ORDER],
      ['GET', '/v1/api/forex/my_deal', { status: 1 }],
      ['GET', '/v1/api/forex/close', { id: 1 }],
      ['GET', '/v1/api/forex/cancel_trade', { id: 1 }],
      ['GET', '/v1/api/forex/set_stop_price', { id: 1 }],
      ['GET', '/v1/api/main/wallet/getBalance', {}],
      ['GET', '/v1/api/main/account/forexDetail', {}],
      ['GET', '/v1/api/main/accountLog/forexChange', {}],
      ['GET', '/v1/api/main/user/resetForexDemoAccount', {}],
    ] as const)('%s %s answers 999, even with invalid parameters', async (method, path, params) => {
      const token = { authorization: 'A'.repeat(43) };
      for (const [given, headers] of [
        [params, {}],
        [params, token],
        [{ nonsense: 1 }, {}],
      ] as const) {
        const answer = await exchange.raw(path, given, headers, method);
        expect(answer.status).toBe(200);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(JSON.parse(answer.text)).toMatchObject({ code: 999, data: null });
      }
    });
  });
});
