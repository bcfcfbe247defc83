import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import * as schema from '../../server/db/schema';
import { notItsTurn, SUITES } from '../helpers/samples';
import { TestClient } from '../server/socket/testSockets';
import { readCaptcha } from '../server/support/captchas';
import { onEachDatabaseUnless } from '../server/support/database';
import { as, from, NEW_PASSWORD, PASSWORD, TestServer } from '../server/support/testServer';

const WRONG = 'This code is wrong or was already used';
const OFF = 'Two-factor login is not on';
const STEP = 30_000;
const MINUTE = 60_000;

onEachDatabaseUnless(notItsTurn('second factor', SUITES), (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  const call = (name: string, token: string, params = {}) =>
    server.form(`/api/user/${name}`, params, as(token));
  const again = (email: string, second: Record<string, string>, password = PASSWORD) =>
    server.login(email, password, {}, second);
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: server.clock.now() + steps * STEP,
    });
  /** A code of none of the steps that are accepted now. */
  const wrongFor = (secret: string) => {
    const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !near.includes(code),
    ) as string;
  };

  async function enrolled() {
    const { token, user } = await server.realUser();
    const { secret } = (await call('otp_enrol', token)).data;
    const { recovery } = (await call('otp_confirm', token, { otp: codeOf(secret) })).data;
    // The next step, also for the clock of a device that is one behind.
    server.clock.pass(2 * STEP);
    const ticket = async () => (await server.login(user.email)).data.ticket as string;
    return {
      token,
      user,
      secret,
      recovery: recovery as string[],
      code: () => codeOf(secret),
      ticket,
    };
  }
  const isOn = async (token: string) => (await server.get('/api/user/info', as(token))).data.otp;

  it('is required after the right password, once it is confirmed', async () => {
    expect((await server.get('/api/basicSet/getBasicInfo')).data.features).toEqual(
      expect.arrayContaining(['otp', 'sessions']),
    );
    const { token, user } = await server.realUser();
    expect(user.otp).toBe(0);
    const { secret, uri } = (await call('otp_enrol', token)).data;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Fulcrum:.*secret=/);
    // Not in use yet.
    expect((await server.login(user.email)).code).toBe(1);
    for (const otp of ['', wrongFor(secret)]) {
      expect((await call('otp_confirm', token, { otp })).msg).toBe(WRONG);
    }
    expect(await isOn(token)).toBe(0);
    expect((await server.login(user.email)).code).toBe(1);
    const { recovery } = (await call('otp_confirm', token, { otp: codeOf(secret) })).data;
    expect(new Set(recovery).size).toBe(10);
    expect(server.lettersTo(user.email).at(-1)).toContain('now requires a code');
    expect(await isOn(token)).toBe(1);
    expect((await call('otp_enrol', token)).msg).toBe('Two-factor login is already on');
    expect((await call('otp_confirm', token, { otp: codeOf(secret, 1) })).msg).toBe(
      'Two-factor login is already on',
    );

    server.clock.pass(STEP);
    expect((await server.login(user.email, 'wrong one')).data).toBeNull();
    const first = await server.login(user.email);
    expect(first).toMatchObject({ code: 427, data: { ticket: expect.any(String) } });
    const { ticket } = first.data;
    expect((await again(user.email, { ticket, otp: wrongFor(secret) })).msg).toBe(WRONG);
    expect((await again(user.email, { ticket, otp: codeOf(secret) }, 'wrong one')).code).toBe(2);
    const { data } = await again(user.email, { ticket, otp: codeOf(secret) });
    expect((await server.get('/api/user/info', as(data.token))).code).toBe(1);
  });

  it('enrolled again before it was confirmed accepts codes of the newest secret only', async () => {
    const { token } = await server.realUser();
    const first = (await call('otp_enrol', token)).data.secret;
    const second = (await call('otp_enrol', token)).data.secret;
    expect((await call('otp_confirm', token, { otp: codeOf(first) })).msg).toBe(WRONG);
    expect((await call('otp_confirm', token, { otp: codeOf(second) })).code).toBe(1);
  });

  describe('a code', () => {
    it('is accepted once, also from two simultaneous logins', async () => {
      const { user, code, ticket } = await enrolled();
      const given = { ticket: await ticket(), otp: code() };
      const both = await Promise.all([1, 2, 3].map(() => again(user.email, given)));
      expect(both.map((reply) => reply.code).sort()).toEqual([1, 2, 2]);
      expect((await again(user.email, given)).msg).toBe(WRONG);
      // Its step is still within the clock's tolerance.
      server.clock.pass(STEP);
      expect((await again(user.email, given)).msg).toBe(WRONG);
    });

    it('of an earlier step is refused after a later one', async () => {
      const { user, secret, ticket } = await enrolled();
      const given = await ticket();
      const [earlier, later] = [codeOf(secret), codeOf(secret, 1)];
      expect((await again(user.email, { ticket: given, otp: later })).code).toBe(1);
      expect((await again(user.email, { ticket: given, otp: earlier })).msg).toBe(WRONG);
    });

    it('that was used to switch the second factor on or off is refused at a login', async () => {
      const { token, user } = await server.realUser();
      const { secret } = (await call('otp_enrol', token)).data;
      const otp = codeOf(secret);
      await call('otp_confirm', token, { otp });
      const { ticket } = (await server.login(user.email)).data;
      expect((await again(user.email, { ticket, otp })).msg).toBe(WRONG);
      expect((await call('otp_remove', token, { otp })).msg).toBe(WRONG);
      expect(await isOn(token)).toBe(1);
    });

    it('is accepted one step early or late, not two', async () => {
      const { user, secret, ticket } = await enrolled();
      for (const [steps, code] of [
        [-2, 2],
        [2, 2],
        [-1, 1],
        [1, 1],
      ] as const) {
        const reply = await again(user.email, {
          ticket: await ticket(),
          otp: codeOf(secret, steps),
        });
        expect([steps, reply.code]).toEqual([steps, code]);
      }
    });

    it('of another user is wrong', async () => {
      const [one, other] = [await enrolled(), await enrolled()];
      for (const otp of [other.code(), other.recovery[0] as string]) {
        const reply = await again(one.user.email, { ticket: await one.ticket(), otp });
        expect(reply.msg).toBe(WRONG);
      }
    });
  });

  describe('a ticket', () => {
    it('is required, and belongs to its account', async () => {
      const { user, code, ticket } = await enrolled();
      const own = await ticket();
      const other = await (await enrolled()).ticket();
      const [expires = '', mac = ''] = own.split('.');
      const later = `${Number(expires) + 1}.${mac}`;
      for (const bad of ['', 'x', other, `${own}x`, own.slice(0, -1), later, `${expires}.`]) {
        const reply = await again(user.email, { ticket: bad, otp: code() });
        expect([bad, reply.code]).toEqual([bad, 427]);
      }
      expect((await again(user.email, { ticket: own, otp: code() })).code).toBe(1);
    });

    it('is valid for five minutes', async () => {
      const { user, code, ticket } = await enrolled();
      const own = await ticket();
      server.clock.pass(5 * MINUTE - 1);
      expect((await again(user.email, { ticket: own, otp: code() })).code).toBe(1);
      server.clock.pass(1);
      expect((await again(user.email, { ticket: own, otp: code() })).code).toBe(427);
    });

    it('that is used again needs another code and the current password', async () => {
      const { user, code, ticket } = await enrolled();
      const own = await ticket();
      expect((await again(user.email, { ticket: own, otp: code() })).code).toBe(1);
      expect((await again(user.email, { ticket: own, otp: code() })).msg).toBe(WRONG);
      server.clock.pass(MINUTE);
      await server.sendCode(user.email, 2);
      await server.forget(user.email, server.codeOf(user.email));
      expect((await again(user.email, { ticket: own, otp: code() })).msg).toBe(
        'The account or the password is wrong',
      );
    });

    it('alone gives access to nothing', async () => {
      const { ticket } = await enrolled();
      const own = await ticket();
      expect((await server.get('/api/user/info', as(own))).code).toBe(999);
      const client = new TestClient(new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`));
      await once(client.socket, 'open');
      await client.ask({ type: 'login', token: own });
      expect(client.of('login')).toEqual([{ type: 'login', code: 999 }]);
      client.socket.terminate();
    });
  });

  describe('guessing', () => {
    it('waits after five wrong codes, twice as long after each further one', async () => {
      const { user, secret, code, ticket } = await enrolled();
      const own = await ticket();
      const guess = (otp: string) => again(user.email, { ticket: own, otp });
      for (let n = 0; n < 5; n++) expect((await guess(wrongFor(secret))).msg).toBe(WRONG);
      for (const seconds of [1, 2, 4, 8]) {
        for (const otp of [wrongFor(secret), code()]) {
          expect([seconds, (await guess(otp)).code]).toEqual([seconds, 429]);
        }
        server.clock.pass(seconds * 1_000 - 1);
        expect((await guess(code())).code).toBe(429);
        server.clock.pass(1);
        if (seconds < 8) expect((await guess(wrongFor(secret))).msg).toBe(WRONG);
      }
      expect((await guess(code())).code).toBe(1);
    });

    it('by simultaneous requests and by other calls is counted as well', async () => {
      const { user, token, secret, code, ticket } = await enrolled();
      const own = await ticket();
      const otp = wrongFor(secret);
      const crowd = await Promise.all([
        ...Array.from({ length: 10 }, () => again(user.email, { ticket: own, otp })),
        ...Array.from({ length: 10 }, () => call('otp_remove', token, { otp })),
      ]);
      expect(crowd.filter(({ msg }) => msg === WRONG)).toHaveLength(5);
      expect(crowd.filter((reply) => reply.code === 429)).toHaveLength(15);
      expect((await again(user.email, { ticket: own, otp: code() })).code).toBe(429);
      expect((await call('otp_remove', token, { otp: code() })).code).toBe(429);
    });

    it('of a stranger who knows the password does not lock the owner out', async () => {
      const { user, secret, code, ticket } = await enrolled();
      const stranger = from('203.0.113.1');
      const otp = wrongFor(secret);
      const own = await ticket();
      for (let n = 0; n < 10; n++) {
        await server.login(user.email, PASSWORD, stranger, { ticket: own, otp });
      }
      // The stranger waits, even with a right code and a captcha.
      const given = { ticket: own, otp: code(), ...(await readCaptcha(server, stranger)) };
      expect((await server.login(user.email, PASSWORD, stranger, given)).code).toBe(429);
      expect((await again(user.email, { ticket: await ticket(), otp: code() })).code).toBe(1);
    });

    it('from many networks makes the owner enter a captcha', async () => {
      const { user, token, secret, code, ticket } = await enrolled();
      const own = await ticket();
      const otp = wrongFor(secret);
      const crowd = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          server.login(user.email, PASSWORD, from(`203.0.113.${n}`), { ticket: own, otp }),
        ),
      );
      expect(crowd.filter(({ msg }) => msg === WRONG)).toHaveLength(20);
      expect(crowd.filter((reply) => reply.code === 428)).toHaveLength(30);
      // A call that takes no captcha waits.
      expect((await call('otp_remove', token, { otp: code() })).code).toBe(429);
      const owner = from('198.51.100.1');
      const given = { ticket: own, otp: code() };
      expect((await server.login(user.email, PASSWORD, owner, given)).code).toBe(428);
      const captcha = await readCaptcha(server, owner);
      const opened = await server.login(user.email, PASSWORD, owner, { ...given, ...captcha });
      expect(opened.code).toBe(1);
    });

    it('is still counted after a right password', async () => {
      const { user, secret, code, ticket } = await enrolled();
      for (let n = 0; n < 5; n++) {
        await again(user.email, { ticket: await ticket(), otp: wrongFor(secret) });
      }
      const reply = await again(user.email, { ticket: await ticket(), otp: code() });
      expect(reply.code).toBe(429);
    });
  });

  describe('recovery codes', () => {
    it('are accepted once each, in any spelling, also from two simultaneous logins', async () => {
      const { user, recovery, ticket } = await enrolled();
      const own = await ticket();
      const [first = '', second = '', third = ''] = recovery;
      const otp = ` ${first.toLowerCase().replace('-', ' ')} `;
      expect((await again(user.email, { ticket: own, otp })).code).toBe(1);
      for (const used of [otp, first]) {
        expect((await again(user.email, { ticket: own, otp: used })).msg).toBe(WRONG);
      }
      expect((await again(user.email, { ticket: own, otp: second })).code).toBe(1);
      const both = await Promise.all(
        [1, 2].map(() => again(user.email, { ticket: own, otp: third })),
      );
      expect(both.map((reply) => reply.code).sort()).toEqual([1, 2]);
    });

    it('end with their second factor', async () => {
      const { user, token, recovery, code } = await enrolled();
      expect((await call('otp_remove', token, { otp: code() })).code).toBe(1);
      const { secret } = (await call('otp_enrol', token)).data;
      const [old = ''] = recovery;
      // Nor during another enrolment: only a code of the app proves that the app has the secret.
      expect((await call('otp_confirm', token, { otp: old })).msg).toBe(WRONG);
      server.clock.pass(STEP);
      expect((await call('otp_confirm', token, { otp: codeOf(secret) })).code).toBe(1);
      const { ticket } = (await server.login(user.email)).data;
      expect((await again(user.email, { ticket, otp: old })).msg).toBe(WRONG);
    });
  });

  it('is removed only with a code of either kind', async () => {
    for (const kind of ['app', 'recovery']) {
      const { user, token, secret, recovery, code } = await enrolled();
      for (const otp of ['', wrongFor(secret), 'ABCDE-FGHJK']) {
        expect((await call('otp_remove', token, { otp })).msg).toBe(WRONG);
      }
      expect((await call('otp_remove', token)).msg).toBe(WRONG);
      expect(await isOn(token)).toBe(1);
      expect((await server.login(user.email)).code).toBe(427);
      const otp = kind === 'app' ? code() : recovery[9];
      expect((await call('otp_remove', token, { otp })).code).toBe(1);
      expect((await server.login(user.email)).code).toBe(1);
      expect((await call('otp_remove', token, { otp: recovery[8] })).msg).toBe(OFF);
      expect(server.lettersTo(user.email).at(-1)).toContain('no longer requires a code');
    }
  });

  it('is stored encrypted', async () => {
    const { user, secret, recovery } = await enrolled();
    const [row] = await database.db
      .select()
      .from(schema.secondFactors)
      .where(eq(schema.secondFactors.userId, user.id));
    const codes = await database.db.select().from(schema.recoveryCodes);
    const stored = JSON.stringify([row, codes]);
    for (const text of [secret, ...recovery]) expect(stored).not.toContain(text);
  });

  describe('the second factor is not bypassed by', () => {
    it('a new password, which opens no session and does not remove it', async () => {
      const { user, token, code } = await enrolled();
      server.clock.pass(MINUTE);
      await server.sendCode(user.email, 2);
      const forgotten = await server.forget(user.email, server.codeOf(user.email));
      expect(forgotten).toMatchObject({ code: 1, data: null });
      expect((await server.get('/api/user/info', as(token))).code).toBe(999);
      const { code: asked, data } = await server.login(user.email, NEW_PASSWORD);
      expect(asked).toBe(427);
      const opened = await again(user.email, { ticket: data.ticket, otp: code() }, NEW_PASSWORD);
      expect(opened.code).toBe(1);

      server.clock.pass(MINUTE);
      await server.sendCode(user.email, 2);
      const params = {
        new_password: PASSWORD,
        auth_code: server.codeOf(user.email),
        type: 'email',
      };
      const amended = await call('amend_password', opened.data.token, params);
      expect(amended).toMatchObject({ code: 1, data: null });
      expect((await server.login(user.email)).code).toBe(427);
      expect(await isOn(opened.data.token)).toBe(1);
    });

    it('a registration of the same address, or a demo account with the user’s names', async () => {
      const { user } = await enrolled();
      server.clock.pass(MINUTE);
      await server.sendCode(user.email, 1);
      const registered = await server.register(user.email);
      expect(registered).toMatchObject({ code: 2, data: null });
      for (const id of [user.email, user.uid, user.id, '']) {
        const { data } = await server.get(
          `/api/user/createAccountDemoForU?demo_id=${encodeURIComponent(id)}`,
        );
        expect(data?.user.id).not.toBe(user.id);
      }
    });

    it.each([['mobile'], ['MOBILE'], ['Email'], ['']])('a login of type %j', async (login_type) => {
      const { user } = await enrolled();
      const account = user.email;
      const reply = await server.form('/api/user/loginForU', {
        account,
        password: PASSWORD,
        login_type,
      });
      expect(reply.data?.token).toBeUndefined();
    });

    it('another spelling of the address', async () => {
      const { user } = await enrolled();
      for (const account of [user.email.toUpperCase(), ` ${user.email} `]) {
        const { data } = await server.login(account);
        expect(data?.token).toBeUndefined();
      }
    });
  });
});
