import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../server/http/testHttp';
import type { TestServer } from '../server/support/testServer';
import { endpoints, startServer } from './calls';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = await server.realUser());
});
afterAll(() => server.close());

const BODIES = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"a":{"__proto__":{"polluted":1}}}',
  '{"\\u005f_proto__":{"polluted":1}}',
  '[{"__proto__":{"polluted":1}}]',
];
const QUERIES = [
  '__proto__[polluted]=1',
  '__proto__.polluted=1',
  'constructor[prototype][polluted]=1',
  '__proto__=1',
  'hasOwnProperty=1&toString=1&valueOf=1',
];

it.each(endpoints)('%s does not change Object.prototype', async (name, { method, path }) => {
  const headers = { authorization: name === 'logout' ? '' : token, lang: 'en' };
  const answers = [];
  for (const query of QUERIES) {
    answers.push(
      await (method === 'POST'
        ? send(server.url + path, {
            method,
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
            body: query,
          })
        : send(`${server.url}${path}?${query}`, { method, headers })),
    );
  }
  for (const body of method === 'POST' ? BODIES : []) {
    const type = { 'content-type': 'application/json' };
    answers.push(await send(server.url + path, { method, headers: { ...headers, ...type }, body }));
  }
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ code: expect.any(Number) });
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

it.each([
  '"__proto__":{"polluted":1}',
  '"\\u005f_proto__":{"polluted":1}',
  '"constructor":{"prototype":{"polluted":1}}',
])('a body with %s is malformed', async (poison) => {
  const login = '"account":"a@example.com","password":"wrong one","login_type":"email"';
  const codeOf = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const url = `${server.url}/api/user/loginForU`;
    return JSON.parse((await send(url, { method: 'POST', headers, body })).text).code;
  };
  expect(await codeOf(`{${login}}`)).toBe(2);
  expect(await codeOf(`{${login},${poison}}`)).toBe(400);
});
