import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { adminActions, sessions, users, verifications } from '../../../server/db/schema';
import { TestClient } from '../socket/testSockets';
import { onEachDatabase, someoneWaits } from '../support/database';
import { as, NEW_PASSWORD, PASSWORD, TestServer } from '../support/testServer';
import { admin } from './adminCommand';

const LOCKED = 'This account is locked. Please contact us';

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db, { args: ['--no-auto-review'] });
    await server.market.tick([1, 1.1], [2, 1.3]);
  });
  afterAll(() => server.close());

  const run = (...args: string[]) => admin(server.directory, args, '', 'ada');
  const done = async (...args: string[]) => {
    const { code, out } = await run(...args);
    expect(code, out).toBe(0);
    return out;
  };
  const actionsOf = (uid: string) =>
    database.db
      .select()
      .from(adminActions)
      .where(eq(adminActions.uid, uid))
      .orderBy(adminActions.id);
  const isIn = async (token: string) => (await server.get('/api/user/info', as(token))).code === 1;

  async function connect(token: string): Promise<TestClient> {
    const client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
    await once(client.socket, 'open');
    await client.ask({ type: 'login', token });
    return client;
  }

  describe('a user is found', () => {
    let uid: string;
    beforeAll(async () => {
      const { user } = await server.realUser('grace_hopper@example.com');
      await server.realUser('gracexhopper@example.com');
      ({ uid } = user);
      await database.db.update(users).set({ mobile: '33612345679' }).where(eq(users.id, user.id));
      const picture = { frontPicture: 'a', reversePicture: 'b' };
      await database.db.execute(
        `insert into pictures (id, owner_id, created_at) values ('a', ${user.id}, now()), ('b', ${user.id}, now())`,
      );
      await database.db.insert(verifications).values({
        ...{ userId: user.id, name: 'Grace Brewster', cardId: 'X1', ...picture },
        ...{ submittedAt: new Date(server.clock.now()), status: 'verified' },
      });
    });

    it.each([
      'grace_hopper@example.com',
      'GRACE_hop',
      '+33 6 12 34 56 79',
      '0033 612-345-679',
      '06 12 34 56 79',
      'brewster',
    ])('by %s', async (text) => {
      const out = await done('find', text);
      expect(out.split('\n')).toEqual([`${uid}  real  grace_hopper@example.com  +33612345679`]);
    });

    it('by number, and by words that are no one argument', async () => {
      expect(await done('find', uid)).toContain(uid);
      expect(await done('find', 'Grace', 'Brewster')).toContain(uid);
      expect(await run('find', 'nobody@example.com')).toEqual({
        code: 1,
        out: 'Nobody was found.',
      });
    });

    it('and is shown, named by number, address or mobile number', async () => {
      const out = await done('user', uid);
      for (const line of [
        /^email +grace_hopper@example\.com$/m,
        /^mobile +\+33612345679$/m,
        /^account +real$/m,
        /^last login +\d{4}-/m,
        /^second factor +off$/m,
        /^verification +verified: Grace Brewster$/m,
        /^available +0 USD$/m,
        /^open orders +0$/m,
        /^sessions +1$/m,
      ]) {
        expect(out).toMatch(line);
      }
      for (const name of ['Grace_Hopper@example.com', '+33 612 34 56 79']) {
        expect(await done('user', name)).toBe(out);
      }
      // A part of a name is not enough to act on.
      expect(await run('lock', 'grace', 'why')).toEqual({
        code: 1,
        out: 'There is no user grace.',
      });
    });
  });

  describe('a lock', () => {
    it('ends sessions aloud, keeps logins out, and leaves orders to the market', async () => {
      const { token, user } = await server.realUser();
      await done('credit', user.uid, '1000', 'test', '--confirm');
      const german = await server.login(user.email, PASSWORD, { lang: 'de' });
      const order =
        'forex_id=1&type=1&status=1&cont=0.01&multiple=100&target_price=0&stop_loss_price=1.05&target_profit_price=0';
      expect((await server.get(`/v1/api/forex/submit?${order}`, as(token))).code).toBe(1);
      const client = await connect(token);

      expect((await run('lock', user.uid)).out).toBe('This needs a reason.');
      expect(await done('lock', user.uid, 'A', 'stolen', 'phone')).toBe(
        `user ${user.uid}: locked.`,
      );
      await expect.poll(() => client.of('login').at(-1)).toEqual({ type: 'login', code: 999 });
      client.socket.terminate();
      for (const each of [token, german.data.token]) expect(await isIn(each)).toBe(false);
      expect(await server.login(user.email)).toMatchObject({ code: 2, msg: LOCKED });
      // Nobody learns of it without the password.
      expect((await server.login(user.email, 'wrong horse')).msg).not.toBe(LOCKED);
      expect(server.lettersTo(user.email).at(-1)).toContain('Ihr Konto wurde gesperrt');
      expect((await run('lock', user.uid, 'again')).out).toBe(
        `User ${user.uid} is locked already.`,
      );
      expect(await done('find', user.uid)).toContain('real, locked');
      expect(await done('user', user.uid)).toMatch(/^open orders +1$/m);

      await server.market.tick([1, 1.04]);
      expect(await done('user', user.uid)).toMatch(/^open orders +0$/m);
      await server.market.tick([1, 1.1]);

      expect(await done('unlock', user.uid, 'Found')).toBe(`user ${user.uid}: unlocked.`);
      expect(server.lettersTo(user.email).at(-1)).toContain('Ihr Konto wurde entsperrt');
      expect((await run('unlock', user.uid, 'again')).code).toBe(1);
      expect(await isIn(token)).toBe(false);
      expect((await server.login(user.email)).code).toBe(1);
      expect(await actionsOf(user.uid)).toMatchObject([
        { action: 'credit', operator: 'ada', reason: 'test' },
        { action: 'lock', operator: 'ada', reason: 'A stolen phone', result: 'locked.' },
        { action: 'unlock', operator: 'ada', reason: 'Found', result: 'unlocked.' },
      ]);
    });

    it('keeps a demo account closed too', async () => {
      const demo_id = crypto.randomUUID();
      const open = () => server.get(`/api/user/createAccountDemoForU?demo_id=${demo_id}`);
      const { token, user } = (await open()).data;
      await done('lock', user.uid, 'abuse');
      expect(await isIn(token)).toBe(false);
      expect(await open()).toMatchObject({ code: 2, msg: LOCKED });
      await done('unlock', user.uid, 'over');
      expect((await open()).code).toBe(1);
    });

    it('lets no login through that is under way', async () => {
      const { user } = await server.realUser();
      const logins = Array.from({ length: 8 }, () => server.login(user.email));
      const locked = run('lock', user.uid, 'stolen');
      const answers = await Promise.all([
        ...logins,
        ...Array.from({ length: 4 }, () => server.login(user.email)),
      ]);
      expect((await locked).code).toBe(0);
      for (const { data } of answers) if (data) expect(await isIn(data.token)).toBe(false);
      expect(await database.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
    });

    it.runIf(database.name === 'PostgreSQL')(
      'by another process is waited for by a login',
      async () => {
        const { user } = await server.realUser();
        const login = await database.db.transaction(async (tx) => {
          const lockedAt = new Date(server.clock.now());
          await tx.update(users).set({ lockedAt }).where(eq(users.id, user.id));
          const asked = server.login(user.email);
          await someoneWaits(tx);
          await tx.delete(sessions).where(eq(sessions.userId, user.id));
          return { asked };
        });
        expect(await login.asked).toMatchObject({ code: 2, msg: LOCKED });
        expect(await database.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
      },
    );
  });

  describe('a reset', () => {
    it('of the password makes it invalid, and nobody learns another one', async () => {
      const { token, user } = await server.realUser();
      const client = await connect(token);
      const out = await done('reset', 'password', user.email, 'Phished');
      expect(out).toMatch(/^user \d+: the password is no longer valid/);
      await expect.poll(() => client.of('login').at(-1)).toEqual({ type: 'login', code: 999 });
      client.socket.terminate();
      expect(await isIn(token)).toBe(false);
      expect((await server.login(user.email)).code).toBe(2);
      expect(server.lettersTo(user.email).at(-1)).toContain('“Forgot your password?”');
      await server.sendCode(user.email, 2);
      expect((await server.forget(user.email, server.codeOf(user.email))).code).toBe(1);
      expect((await server.login(user.email, NEW_PASSWORD)).code).toBe(1);
      expect(await actionsOf(user.uid)).toMatchObject([
        { action: 'reset password', operator: 'ada', reason: 'Phished' },
      ]);
      const { user: demo } = await server.demoUser();
      expect((await run('reset', 'password', demo.uid, 'why')).out).toContain('has no password');
    });

    it('of the password leaves a login no time', async () => {
      const { user } = await server.realUser();
      const logins = Array.from({ length: 8 }, () => server.login(user.email));
      const reset = run('reset', 'password', user.uid, 'Phished');
      const answers = await Promise.all(logins);
      expect((await reset).code).toBe(0);
      for (const { data } of answers) if (data) expect(await isIn(data.token)).toBe(false);
    });

    it('of the second factor turns it off and logs out', async () => {
      const { token, user } = await server.realUser();
      expect((await run('reset', 'factor', user.uid, 'why')).out).toContain('no second factor');
      const { secret } = (await server.post('/api/user/otp_enrol', {}, as(token))).data;
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      const otp = totp.generate({ timestamp: server.clock.now() });
      expect((await server.post('/api/user/otp_confirm', { otp }, as(token))).code).toBe(1);
      expect((await server.login(user.email)).code).not.toBe(1);
      await done('reset', 'factor', user.uid, 'Lost', 'phone');
      expect(await isIn(token)).toBe(false);
      expect(server.lettersTo(user.email).at(-1)).toContain('no longer requires a code');
      expect((await server.login(user.email)).code).toBe(1);
      expect(await actionsOf(user.uid)).toMatchObject([
        { action: 'reset factor', reason: 'Lost phone', result: 'the second factor is off.' },
      ]);
    });
  });

  it('an action whose row can’t be written is not done', async () => {
    const { token, user } = await server.realUser();
    // PostgreSQL stores no NUL.
    expect((await run('lock', user.uid, 'why\u0000')).code).toBe(1);
    expect(await isIn(token)).toBe(true);
    expect(await done('user', user.uid)).toMatch(/^account +real$/m);
  });
});
