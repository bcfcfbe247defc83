import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../server/support/testServer';
import { ask, personal, SIGNED_OUT, startServer, validParams } from './calls';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = await server.realUser());
});
afterAll(() => server.close());

/** Those that end the session come last, so that all others have a token that is good. */
const ending = ['logout', 'endSession', 'closeAccount'];
const inOrder = [false, true].flatMap((ends) =>
  personal.filter(([name]) => ending.includes(name) === ends),
);

describe.each(inOrder)('%s', (_name, endpoint) => {
  it('accepts a token only from the authorization header, without a scheme', async () => {
    const params = validParams(endpoint);
    const everywhere = { ...params, authorization: token, token, access_token: token };
    for (const headers of [
      {},
      { cookie: `authorization=${token}; token=${token}` },
      { authorization: `Bearer ${token}` },
      { authorization: `${token},${token}` },
      { authorization: token.toLowerCase() },
      { 'x-authorization': token, 'proxy-authorization': token, token },
    ]) {
      const answer = await ask(server, endpoint, everywhere, headers as Record<string, string>);
      expect(answer).toMatchObject({ status: 200, code: SIGNED_OUT, data: null });
    }
  });
});

it('a call with its token in the header is accepted', async () => {
  const { data } = await server.get('/api/user/info', { authorization: token });
  expect(data.is_demo).toBe(0);
});
