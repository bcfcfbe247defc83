import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../server/http/testHttp';
import type { TestServer } from '../server/support/testServer';
import { ask, endpoints, startServer, validParams } from './calls';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = await server.realUser());
});
afterAll(() => server.close());

it.each(endpoints)('no answer of %s is stored', async (_name, endpoint) => {
  const params = validParams(endpoint);
  const { token: own } = endpoint.path.endsWith('/logout') ? await server.demoUser() : { token };
  for (const answer of [
    await ask(server, endpoint, params, { authorization: own }),
    await ask(server, endpoint, params),
    await ask(server, endpoint, 'id=1&id=2'),
    await ask(server, endpoint, params, { 'sec-purpose': 'prefetch' }),
  ]) {
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['etag']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

it.each(['/api/nothing', '/%zz', '/v1/ws'])('nor is one of %s', async (path) => {
  expect((await send(server.url + path)).headers['cache-control']).toBe('no-store');
});
