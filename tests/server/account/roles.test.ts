import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEachDatabase } from '../support/database';
import { as, type Reply, TestServer } from '../support/testServer';

const NOT_LOGGED_IN = 999;
const REAL_ACCOUNT = 'Please register or log in to a real account';

/**
 * Calls for visitors (protocol.md#public-calls). Any answer but 999 and the demo refusal counts.
 */
const PUBLIC: [method: 'GET' | 'POST', path: string][] = [
  ['GET', '/api/default/area_list'],
  ['GET', '/api/default/setting?key=is_show_mobile'],
  ['GET', '/api/basicSet/getBasicInfo'],
  ['GET', '/api/company/getCompanyStatus'],
  ['POST', '/api/user/loginForU'],
  ['GET', '/api/user/createAccountDemoForU?demo_id=6f1e0f9e-3b1f-4f39-9f0a-6f0f3f1e2d3c'],
  ['POST', '/api/user/register'],
  ['POST', '/api/user/forget_password'],
  ['POST', '/api/notify/send_sms'],
  ['POST', '/api/notify/send_email'],
  ['GET', '/api/common/captcha'],
  ['GET', '/api/common/complaint_email'],
  ['GET', '/v1/api/forex/trade_list'],
  ['GET', '/v1/api/forex/getCategories'],
  ['GET', '/v1/api/forex/kline?forex_id=1&period=1min'],
  ['GET', '/v1/api/forex/abbreviated_cache_kline?forex_id=1'],
];

/** Calls that need a login. */
const PRIVATE: [method: 'GET' | 'POST', path: string][] = [
  ['GET', '/api/user/info'],
  ['POST', '/api/common/image_upload'],
  ['GET', '/v1/api/forex/submit'],
  ['GET', '/v1/api/forex/my_deal?status=1'],
  ['GET', '/v1/api/forex/close?id=1'],
  ['GET', '/v1/api/forex/cancel_trade?id=1'],
  ['GET', '/v1/api/forex/set_stop_price?id=1&target_profit_price=0&stop_loss_price=0'],
  ['GET', '/v1/api/main/wallet/getBalance'],
  ['GET', '/v1/api/main/account/forexDetail'],
  ['GET', '/v1/api/main/accountLog/forexChange'],
];

/** Calls that need a real account (domain.md#roles). */
const REAL: [method: 'GET' | 'POST', path: string][] = [
  ['POST', '/api/user/amend_password'],
  ['POST', '/api/user_real/real_name'],
  ['GET', '/api/user_real/center'],
];

onEachDatabase((database) => {
  let server: TestServer;
  const tokens = { visitor: '', forged: 'x'.repeat(43), demo: '', real: '' };
  beforeAll(async () => {
    server = await TestServer.open(database.db);
    tokens.demo = (await server.demoUser()).token;
    tokens.real = (await server.realUser()).token;
  });
  afterAll(() => server.close());

  type Role = keyof typeof tokens;
  const ask = (role: Role, method: 'GET' | 'POST', path: string): Promise<Reply> => {
    const headers = tokens[role] ? as(tokens[role]) : undefined;
    return method === 'GET' ? server.get(path, headers) : server.form(path, {}, headers);
  };
  const isServed = ({ status, code, msg }: Reply) =>
    status === 200 && code !== NOT_LOGGED_IN && msg !== REAL_ACCOUNT;

  describe.each(PUBLIC)('%s %s', (method, path) => {
    it.each(['visitor', 'forged', 'demo', 'real'] as const)('is open to a %s', async (role) => {
      expect(await ask(role, method, path)).toSatisfy(isServed);
    });
  });

  describe.each(PRIVATE)('%s %s', (method, path) => {
    it.each(['visitor', 'forged'] as const)('is closed to a %s', async (role) => {
      expect(await ask(role, method, path)).toMatchObject({ status: 200, code: NOT_LOGGED_IN });
    });
    it.each(['demo', 'real'] as const)('is open to a %s user', async (role) => {
      expect(await ask(role, method, path)).toSatisfy(isServed);
    });
  });

  describe.each(REAL)('%s %s', (method, path) => {
    it.each(['visitor', 'forged'] as const)('is closed to a %s', async (role) => {
      expect(await ask(role, method, path)).toMatchObject({ status: 200, code: NOT_LOGGED_IN });
    });
    it('is closed to a demo user, with the reason in the user’s language', async () => {
      expect(await ask('demo', method, path)).toMatchObject({
        status: 200,
        code: 2,
        msg: REAL_ACCOUNT,
        data: null,
      });
    });
    it('is open to a real user', async () => {
      expect(await ask('real', method, path)).toSatisfy(isServed);
    });
  });

  it('the reset is open to demo users only', async () => {
    const reset = '/v1/api/main/user/resetForexDemoAccount';
    expect((await ask('visitor', 'GET', reset)).code).toBe(NOT_LOGGED_IN);
    expect((await ask('demo', 'GET', reset)).code).toBe(1);
    expect((await ask('real', 'GET', reset)).code).not.toBe(1);
  });

  it('logout ends the session that asked for it', async () => {
    const { token } = await server.realUser();
    expect((await server.post('/api/user/logout', {}, as(token))).code).toBe(1);
    expect((await server.get('/api/user/info', as(token))).code).toBe(NOT_LOGGED_IN);
  });

  it('area_list has all areas in the requested language, except those that are not served', async () => {
    const { data } = await server.get('/api/default/area_list');
    expect(data.length).toBeGreaterThan(230);
    expect(data).toContainEqual({
      id: expect.any(Number),
      code: 'HK',
      global_code: '852',
      name: 'Hong Kong SAR China',
    });
    const codes = data.map(({ code }: { code: string }) => code);
    for (const unserved of ['KP', 'IL', 'CN', 'VU', 'CU']) expect(codes).not.toContain(unserved);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(data.map(({ id }: { id: number }) => id)).size).toBe(codes.length);
    for (const row of data) expect(row.global_code).toMatch(/^[1-9]\d{0,3}$/);
    const german = (await server.get('/api/default/area_list', { lang: 'de' })).data;
    const at = (rows: typeof data, code: string) =>
      rows.find((row: { code: string }) => row.code === code);
    expect(at(german, 'AT')).toEqual({ ...at(data, 'AT'), name: 'Österreich' });
  });
});
