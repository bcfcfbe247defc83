import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { desk } from '../server/desk/deskCommand';
import { TestClient } from '../server/socket/testSockets';
import { as, NEW_PASSWORD, PASSWORD, type TestServer } from '../server/support/testServer';
import { ask, personal, SIGNED_OUT, startServer, validParams } from './calls';

let server: TestServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ server, stop } = await startServer());
  await server.market.tick([1, 1.1]);
});
afterAll(() => stop());

async function connect(): Promise<TestClient> {
  const client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
  await once(client.socket, 'open');
  return client;
}

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
    'its end from another device',
    async (_, other) => {
      const { data: devices } = await server.get('/api/user/sessions', as(other));
      const { id } = devices.find(({ current }: { current: number }) => current === 0);
      await server.post('/api/user/session_end', { id }, as(other));
    },
  ],
  [
    'the end of all others',
    (_, other) => server.post('/api/user/session_end', { others: 1 }, as(other)),
  ],
  [
    'the end of the account',
    (_, other) => server.post('/api/user/close_account', { password: PASSWORD }, as(other)),
  ],
  [
    'thirty days without a use',
    async () => {
      server.clock.pass(30 * 86_400_000);
    },
  ],
];

/** After them the user is still there, and the socket of the session may be. */
const WHILE_USED = ENDINGS.filter(([how]) => !/account|thirty days/.test(how));

it.each(WHILE_USED)('after %s a websocket gets no private messages', async (_, end) => {
  const session = await server.realUser();
  const { user } = session;
  await desk(server.directory, ['credit', user.uid, '1000', 'test']);
  const other = (await server.login(user.email)).data.token;
  const client = await connect();
  await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token: session.token });
  const orders = async (by: string) => {
    const order = 'forex_id=1&type=1&status=1&cont=0.01&multiple=100';
    expect((await server.get(`/v1/api/forex/submit?${order}`, as(by))).code).toBe(1);
    await client.settled();
    return client.of('FOREX_TRADE').length;
  };
  expect(await orders(other)).toBe(1);
  await end(session, other);
  const again = [PASSWORD, NEW_PASSWORD].map((password) => server.login(user.email, password));
  const token = (await Promise.all(again)).find(({ code }) => code === 1)?.data.token;
  expect(await orders(token)).toBe(1);
  client.socket.terminate();
});

describe.each(ENDINGS)('after %s', (_, end) => {
  let token: string;
  beforeAll(async () => {
    const session = await server.realUser();
    ({ token } = session);
    const other = (await server.login(session.user.email)).data.token;
    // The session is in memory when it ends.
    expect((await server.get('/api/user/info', as(token))).code).toBe(1);
    await end(session, other);
  });

  it.each(personal)('%s is closed', async (_name, endpoint) => {
    const answer = await ask(server, endpoint, validParams(endpoint), as(token));
    expect(answer).toMatchObject({ status: 200, code: SIGNED_OUT, data: null });
  });

  it('a websocket can not log in with it', async () => {
    const client = await connect();
    await client.ask({ type: 'login', token });
    expect(client.of('login')).toEqual([{ type: 'login', code: SIGNED_OUT }]);
    client.socket.terminate();
  });
});
