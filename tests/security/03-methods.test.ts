import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../server/http/testHttp';
import type { TestServer } from '../server/support/testServer';
import { endpoints, methodsOf, startServer, validParams } from './calls';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = await server.demoUser());
});
afterAll(() => server.close());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

/** Unknown paths, derived from those of the calls. */
const UNKNOWN = [
  ...[
    '/api/x.js',
    '/v1/foo.html',
    '/api',
    '/v1/',
    '/nothing',
    '/.env',
    '/a%00b',
    '/%zz',
    '/%2e%2e/x',
  ],
  ...['/constructor', '/__proto__', '/api/..%2fx', `/${'x'.repeat(5_000)}`],
  ...['/api/user/info/', '/api/user/info.json', '/api//user/info', '//api/user/info'],
  ...['/api/user%2finfo', '/API/user/info', '/api/user/info;x', '/api/user/info%20'],
  `/api/common/image/${'x'.repeat(5_000)}`,
];
const BODIES = [
  ['application/json', '{}'],
  ['application/json', '{'],
  ['application/json', ''],
  ['application/x-www-form-urlencoded', 'a=1&a=2'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['text/plain', 'x'],
  ['nonsense', 'x'],
  ['application/json', `"${'x'.repeat(100_000)}"`],
] as const;

it.each(UNKNOWN)('%s is an unknown path for every method, with any body', async (path) => {
  const expected = { status: 404, code: 404, data: null };
  for (const method of [...METHODS, 'QUERY']) {
    const headers = { authorization: token };
    const { status, text } = await send(server.url + path, { method, headers });
    const body = method === 'HEAD' ? { code: 404, data: null } : JSON.parse(text);
    expect([method, { status, ...body }]).toMatchObject([method, expected]);
  }
  for (const method of ['POST', 'PUT', 'PATCH']) {
    for (const [type, body] of BODIES) {
      for (const encoding of ['identity', 'gzip']) {
        const headers = {
          authorization: token,
          'content-type': type,
          'content-encoding': encoding,
        };
        const { status, text } = await send(server.url + path, { method, headers, body });
        const sent = [method, type, encoding];
        expect([...sent, { status, ...JSON.parse(text) }]).toMatchObject([...sent, expected]);
      }
    }
  }
});

it.each(endpoints)('%s has no other spelling', async (_name, { path, method }) => {
  const spellings = ['/', '.js', '.html', '.json', '%00', '%2f', '/x'].map((end) => path + end);
  for (const other of [...spellings, path.toUpperCase(), `/${path}`]) {
    const { status } = await send(server.url + other, {
      method,
      headers: { authorization: token },
    });
    expect([other, status]).toEqual([other, 404]);
  }
});

it.each(endpoints)('%s has no method that is not declared', async (_name, endpoint) => {
  const query = new URLSearchParams(validParams(endpoint));
  for (const method of METHODS.filter((each) => !methodsOf(endpoint.path).includes(each))) {
    const { status, headers } = await send(`${server.url}${endpoint.path}?${query}`, {
      method,
      headers: { authorization: token, 'x-http-method-override': endpoint.method },
    });
    expect([method, status]).toEqual([method, 404]);
    expect(headers['cache-control']).not.toMatch(/public/);
  }
  // The refused calls ended neither the session nor the account.
  expect((await server.get('/api/user/info', { authorization: token })).code).toBe(1);
});
