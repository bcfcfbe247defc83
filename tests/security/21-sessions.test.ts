import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestClient } from '../server/socket/testSockets';
import { as, NEW_PASSWORD, type TestServer } from '../server/support/testServer';
import { ask, personal, SIGNED_OUT, startServer, validParams } from './calls';

let server: TestServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ server, stop } = await startServer());
});
afterAll(() => stop());

type Session = Awaited<ReturnType<TestServer['realUser']>>;

/** What ends a session, from another one of the same user. */
const ENDINGS: [how: string, end: (session: Session, other: string) => Promise<unknown>][] = [
  ['a logout', ({ token }) => server.post('/api/user/logout', {}, as(token))],
  [
    'a forgotten password',
    async ({ user }) => {
      await server.sendCode(user.email, 2);
      await server.forget(user.email, server.codeOf(user.email));
    },
  ],
  [
    'a changed password',
    async ({ user }, other) => {
      await server.sendCode(user.email, 2);
      const auth_code = server.codeOf(user.email);
      const params = { new_password: NEW_PASSWORD, auth_code, type: 'email' };
      await server.post('/api/user/amend_password', params, as(other));
    },
  ],
  [
    'thirty days without a use',
    async () => {
      server.clock.pass(30 * 86_400_000);
    },
  ],
];

describe.each(ENDINGS)('after %s', (how, end) => {
  let token: string;
  let client: TestClient;
  beforeAll(async () => {
    const session = await server.realUser();
    ({ token } = session);
    const other = (await server.login(session.user.email)).data.token;
    client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
    await once(client.socket, 'open');
    await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token });
    expect(client.of('login')).toEqual([{ type: 'login', code: 1 }]);
    // The session is in memory when it ends.
    expect((await server.get('/api/user/info', as(token))).code).toBe(1);
    await end(session, other);
  });
  afterAll(() => client.socket.terminate());

  it.each(personal)('%s is closed', async (_name, endpoint) => {
    const answer = await ask(server, endpoint, validParams(endpoint), as(token));
    expect(answer).toMatchObject({ status: 200, code: SIGNED_OUT, data: null });
  });

  it('a websocket can not log in with it', async () => {
    if (client.socket.readyState !== WebSocket.OPEN) return expect(how).not.toBe('');
    client.forget();
    await client.ask({ type: 'login', token });
    expect(client.of('login')).toEqual([{ type: 'login', code: SIGNED_OUT }]);
  });
});
