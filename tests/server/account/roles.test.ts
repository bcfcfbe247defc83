import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../support/database';
import { as, type Reply, TestServer } from '../support/testServer';

const NOT_LOGGED_IN = 999;

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
