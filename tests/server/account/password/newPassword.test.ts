import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TestClient } from '../../socket/testSockets';
import { onEachDatabase } from '../../support/database';
import { as, from, NEW_PASSWORD, PASSWORD, TestServer } from '../../support/testServer';

onEachDatabase((database) => {
  let server: TestServer;
  const clients: TestClient[] = [];
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(async () => {
    for (const { socket } of clients) socket.terminate();
    await server.close();
  });

  /** A logged-in socket that receives the user's orders. */
  const listen = async (token: string) => {
    const client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
    clients.push(client);
    await once(client.socket, 'open');
    await client.ask({ type: 'sub', topic: 'FOREX_TRADE' }, { type: 'login', token });
    expect(client.of('login')).toEqual([{ type: 'login', code: 1 }]);
    return client;
  };
  const amend = (token: string, params: object) =>
    server.post('/api/user/amend_password', { type: 'email', ...params }, as(token));
  const infoCode = async (token: string) => (await server.get('/api/user/info', as(token))).code;

  it('are reset after being forgotten, which ends every session', async () => {
    const { user, token } = await server.realUser();
    const other = (await server.login(user.email)).data.token;
    await listen(other);
    await server.sendCode(user.email, 2);
    expect(await server.forget(user.email, server.codeOf(user.email))).toMatchObject({
      code: 1,
      data: null,
    });
    expect(await infoCode(token)).toBe(999);
    expect(await infoCode(other)).toBe(999);
    expect((await server.login(user.email, PASSWORD)).code).toBe(2);
    expect((await server.login(user.email, NEW_PASSWORD)).code).toBe(1);
    expect(server.lettersTo(user.email).at(-1)).toMatch(/password of your account was changed/);
  });

  it('end the private pushes of their sessions', async () => {
    const { user, token } = await server.realUser();
    const kept = await listen(token);
    const lost = await listen((await server.login(user.email)).data.token);
    await database.db.execute(
      `update ledger_accounts set balance = 1000 where owner = ${user.id} and kind = 'available'`,
    );
    await server.market.tick([1, 1.1]);
    const submit = () =>
      server.get(
        '/v1/api/forex/submit?type=1&cont=0.01&forex_id=1&status=1&multiple=100&target_price=0&stop_loss_price=0&target_profit_price=0',
        as(token),
      );
    expect((await submit()).code).toBe(1);
    await Promise.all([kept.settled(), lost.settled()]);
    expect(kept.of('FOREX_TRADE')).toHaveLength(1);
    expect(lost.of('FOREX_TRADE')).toHaveLength(1);

    await server.sendCode(user.email, 2);
    const auth_code = server.codeOf(user.email);
    expect((await amend(token, { new_password: NEW_PASSWORD, auth_code })).code).toBe(1);
    expect((await submit()).code).toBe(1);
    await Promise.all([kept.settled(), lost.settled()]);
    expect(kept.of('FOREX_TRADE')).toHaveLength(2);
    expect(lost.of('FOREX_TRADE')).toHaveLength(1);
  });

  it('end all sessions but the own one when they are changed', async () => {
    const { user, token } = await server.realUser();
    const other = (await server.login(user.email)).data.token;
    await server.sendCode(user.email, 2);
    const auth_code = server.codeOf(user.email);
    expect(await amend(token, { new_password: NEW_PASSWORD, auth_code })).toMatchObject({
      code: 1,
      data: null,
    });
    expect(await infoCode(token)).toBe(1);
    expect(await infoCode(other)).toBe(999);
    expect((await server.login(user.email, NEW_PASSWORD)).code).toBe(1);
  });

  it('need the old password where it is sent, beside the code', async () => {
    const { user, token } = await server.realUser();
    await server.sendCode(user.email, 2);
    const right = { new_password: NEW_PASSWORD, auth_code: server.codeOf(user.email) };
    expect(await amend(token, { ...right, old_password: 'wrong one' })).toMatchObject({
      code: 2,
      msg: 'The password is wrong',
    });
    expect((await server.login(user.email)).code).toBe(1);
    const wrongCode = { ...right, old_password: PASSWORD, auth_code: '000000' };
    expect((await amend(token, wrongCode)).msg).toMatch(/wrong or has expired/);
    expect((await amend(token, { ...right, old_password: PASSWORD })).code).toBe(1);
    expect((await server.login(user.email, NEW_PASSWORD)).code).toBe(1);
  });

  it('count a wrong old one as a failed login', async () => {
    const { user, token } = await server.realUser();
    const guess = { new_password: NEW_PASSWORD, auth_code: '123456', old_password: 'wrong one' };
    for (let i = 0; i < 6; i++) await amend(token, guess);
    expect((await amend(token, { ...guess, old_password: PASSWORD })).code).toBe(429);
    expect((await server.login(user.email)).code).toBe(429);
  });

  it('do not wait for what strangers have tried from elsewhere', async () => {
    const { user, token } = await server.realUser();
    for (let i = 0; i < 20; i++) await server.login(user.email, 'wrong', from(`192.0.2.${i}`));
    expect((await server.login(user.email)).code).toBe(428);
    await server.sendCode(user.email, 2);
    const asked = { new_password: NEW_PASSWORD, auth_code: server.codeOf(user.email) };
    expect((await amend(token, { ...asked, old_password: 'wrong' })).msg).toMatch(/is wrong/);
    expect((await amend(token, { ...asked, old_password: PASSWORD })).code).toBe(1);
  });

  it('need a code sent to one of the user’s addresses', async () => {
    const { user, token } = await server.realUser();
    const stranger = await server.realUser();
    await server.sendCode(stranger.user.email, 2);
    const ofStranger = {
      new_password: NEW_PASSWORD,
      auth_code: server.codeOf(stranger.user.email),
    };
    expect((await amend(token, ofStranger)).msg).toMatch(/wrong or has expired/);
    expect((await amend(token, { ...ofStranger, type: 'mobile' })).msg).toMatch(/no such address/);
    expect((await amend('', ofStranger)).code).toBe(999);
    expect((await server.login(user.email)).code).toBe(1);
    expect((await server.login(stranger.user.email)).code).toBe(1);
  });

  it.each([
    [{ new_password: '', secondary_password: '' }, 'Please enter your password'],
    [{ new_password: 'short', secondary_password: 'short' }, /at least 8 characters/],
    [{ secondary_password: '' }, 'Re-type the password'],
    [{ secondary_password: 'another one' }, 'Password inconsistency'],
    [{ auth_code: '' }, 'Please enter the verification code'],
    [{ account: '' }, 'Please enter your email address'],
  ])('keep the rules of domain.md#password-form: %j', async (changes, msg) => {
    const refused = await server.post('/api/user/forget_password', {
      type: 'email',
      account: 'ada@example.com',
      new_password: NEW_PASSWORD,
      secondary_password: NEW_PASSWORD,
      auth_code: '123456',
      ...changes,
    });
    expect(refused.code).toBe(2);
    expect(refused.msg).toMatch(msg);
  });

  it('end the wait after failed logins', async () => {
    const { user } = await server.realUser();
    for (let i = 0; i < 6; i++) await server.login(user.email, 'wrong one');
    expect((await server.login(user.email)).code).toBe(429);
    await server.sendCode(user.email, 2);
    await server.forget(user.email, server.codeOf(user.email));
    expect((await server.login(user.email, NEW_PASSWORD)).code).toBe(1);
  });

  it('refuse a login with the old password that began before the change', async () => {
    const { user } = await server.realUser();
    await server.sendCode(user.email, 2);
    const code = server.codeOf(user.email);
    const [, ...logins] = await Promise.all([
      server.forget(user.email, code),
      ...Array.from({ length: 4 }, () => server.login(user.email, PASSWORD)),
    ]);
    for (const { data } of logins) if (data) expect(await infoCode(data.token)).toBe(999);
  });
});
