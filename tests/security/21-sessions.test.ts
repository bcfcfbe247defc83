import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { admin } from '../server/admin/adminCommand';
import { TestClient } from '../server/socket/testSockets';
import { as, NEW_PASSWORD, PASSWORD, type TestServer } from '../server/support/testServer';
import { ask, personal, SIGNED_OUT, startServer, validParams } from './calls';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.market.tick([1, 1.1]);
});
afterAll(() => server.close());

async function connect(): Promise<TestClient> {
  const client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
  await once(client.socket, 'open');
  return client;
}

type Session = Awaited<ReturnType<TestServer['realUser']>>;

/** Ways to end a session from another session of the same user. */
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
  ['a lock of the account', ({ user }) => admin(server.directory, ['lock', user.uid, 'stolen'])],
  [
    'a reset of the account’s password',
    ({ user }) => admin(server.directory, ['reset', 'password', user.uid, 'stolen']),
  ],
  [
    'thirty days without a use',
    async () => {
      // Before expired sessions are looked for.
      server.clock.jump(30 * 86_400_000);
    },
  ],
];

/** Endings after which the account still exists and its sockets stay open. */
const WHILE_USED = ENDINGS.filter(([how]) => !/account|thirty days/.test(how));

/** A user with money and a socket that is logged in; `order` returns how many pushes it has brought to the socket. */
async function trading() {
  const session = await server.realUser();
  await admin(server.directory, ['credit', session.user.uid, '1000', 'test', '--confirm']);
  const client = await connect();
  await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token: session.token });
  const order = async (by: string) => {
    const before = client.of('FOREX_TRADE').length;
    const params = 'forex_id=1&type=1&status=1&cont=0.01&multiple=100';
    expect((await server.get(`/v1/api/forex/submit?${params}`, as(by))).code).toBe(1);
    await client.settled();
    return client.of('FOREX_TRADE').length - before;
  };
  return { session, client, order };
}

it.each(WHILE_USED)('after %s a websocket gets no private messages', async (_, end) => {
  const { session, client, order } = await trading();
  const { user } = session;
  const other = (await server.login(user.email)).data.token;
  expect(await order(other)).toBe(1);
  await end(session, other);
  const again = [PASSWORD, NEW_PASSWORD].map((password) => server.login(user.email, password));
  const token = (await Promise.all(again)).find(({ code }) => code === 1)?.data.token;
  expect(await order(token)).toBe(0);
  client.socket.terminate();
});

it('a websocket that stays open gets private messages until its session expires', async () => {
  const { session, client, order } = await trading();
  const pass = async (ms: number) => {
    server.clock.jump(ms);
    await client.settled();
    server.clock.pass(60_000);
  };
  await pass(29 * 86_400_000);
  expect(await order((await server.login(session.user.email)).data.token)).toBe(1);
  await pass(86_400_000);
  const { token } = (await server.login(session.user.email)).data;
  expect(await order(token)).toBe(0);
  expect(client.of('login')).toEqual([
    { type: 'login', code: 1 },
    { type: 'login', code: SIGNED_OUT },
  ]);
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
