import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../server/http/testHttp';
import type { TestServer } from '../server/support/testServer';
import { endpoints, startServer, validParams } from './calls';

let server: TestServer;
let stop: () => Promise<void>;
let token: string;
beforeAll(async () => {
  ({ server, stop } = await startServer());
  ({ token } = await server.demoUser());
});
afterAll(() => stop());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

it.each(endpoints)('%s has one method', async (_name, endpoint) => {
  const query = new URLSearchParams(validParams(endpoint));
  for (const method of METHODS.filter((each) => each !== endpoint.method)) {
    const { status, headers } = await send(`${server.url}${endpoint.path}?${query}`, {
      method,
      headers: { authorization: token, 'x-http-method-override': endpoint.method },
    });
    expect([method, status]).toEqual([method, 404]);
    expect(headers['cache-control']).not.toMatch(/public/);
  }
  // The session of a call that was not made is still there, and so is the account.
  expect((await server.get('/api/user/info', { authorization: token })).code).toBe(1);
});
