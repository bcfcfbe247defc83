import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as schema from '../../server/db/schema';
import { notItsTurn, SUITES } from '../helpers/samples';
import { SoftAuthenticator } from '../helpers/softAuthenticator';
import { admin } from '../server/admin/adminCommand';
import { onEachDatabaseUnless } from '../server/support/database';
import {
  as,
  from,
  NEW_PASSWORD,
  PASSWORD,
  type Reply,
  TestServer,
} from '../server/support/testServer';

const PAGE = 'https://m.example.com';
const WRONG = 'The passkey could not be verified. Please try again';
const MINUTE = 60_000;

type Creation = Parameters<SoftAuthenticator['create']>[1];
type Assertion = Parameters<SoftAuthenticator['get']>[1];

onEachDatabaseUnless(notItsTurn('passkeys', SUITES), (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db, { args: ['--public-url', PAGE] });
  });
  afterAll(() => server.close());

  const call = (name: string, token: string, params = {}, headers = {}) =>
    server.post(`/api/user/${name}`, params, { ...(token && as(token)), ...headers });
  const optionsOf = async (token: string, proof: object = { password: PASSWORD }) =>
    (await call('passkey_options', token, proof)).data;
  const list = async (token: string) => (await server.get('/api/user/passkeys', as(token))).data;
  const userOf = async (token: string) => (await server.get('/api/user/info', as(token))).data;

  async function add(
    token: string,
    authenticator = new SoftAuthenticator(PAGE),
    changes: Creation = {},
    name = '',
  ): Promise<Reply> {
    const response = authenticator.create(await optionsOf(token), changes);
    return call('passkey_add', token, { response, name });
  }

  async function enrolled() {
    const { token, user } = await server.realUser();
    const authenticator = new SoftAuthenticator(PAGE);
    const { data } = await add(token, authenticator);
    return { token, user, authenticator, id: data.id as number };
  }

  async function logIn(authenticator: SoftAuthenticator, changes: Assertion = {}) {
    const { data } = await call('passkey_login_options', '');
    return call('passkey_login', '', { response: authenticator.get(data, changes) });
  }

  describe('a passkey', () => {
    it('is added with the password, logs in without it, and is removed with the password', async () => {
      const { token, user } = await server.realUser();
      const authenticator = new SoftAuthenticator(PAGE);
      const options = await optionsOf(token);
      expect(options).toMatchObject({
        rp: { id: 'm.example.com', name: 'Fulcrum' },
        user: { name: user.email },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      });
      const response = authenticator.create(options);
      const { data: added } = await call('passkey_add', token, { response, name: ' My key ' });
      expect(added).toEqual({
        id: expect.any(Number),
        name: 'My key',
        created_at: new Date(server.clock.now()).toISOString(),
        used_at: '',
      });
      expect(await list(token)).toEqual([added]);
      expect(server.lettersTo(user.email).at(-1)).toContain(
        'A passkey was added to your account: My key',
      );

      server.clock.pass(MINUTE);
      const { data: session } = await logIn(authenticator);
      expect(session.user).toEqual(user);
      expect(await userOf(session.token)).toEqual(user);
      expect(await list(token)).toEqual([
        { ...added, used_at: new Date(server.clock.now()).toISOString() },
      ]);
      // A login as any other: it is one of the devices.
      expect((await server.get('/api/user/sessions', as(token))).data).toHaveLength(2);

      const removal = { id: added.id, password: PASSWORD };
      expect((await call('passkey_del', token, removal)).code).toBe(1);
      expect(server.lettersTo(user.email).at(-1)).toContain(
        'A passkey was removed from your account: My key',
      );
      expect(await list(token)).toEqual([]);
      expect((await logIn(authenticator)).msg).toBe(WRONG);
      expect((await server.login(user.email)).code).toBe(1);
      expect((await admin(server.directory, ['log', user.uid])).out).toMatch(
        /the user {2}passkey remove {2}passkey \d+ {2}user \d+ {2}removed\.\n.*the user {2}passkey add {2}passkey \d+ {2}user \d+ {2}added\./,
      );
    });

    it('without a name is called by browser and system', async () => {
      const { token } = await server.realUser();
      const authenticator = new SoftAuthenticator(PAGE);
      const response = authenticator.create(await optionsOf(token));
      const agent =
        'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
      const { data } = await call('passkey_add', token, { response }, { 'user-agent': agent });
      expect(data.name).toBe('Chrome, Android');
    });

    it('logs in from a new device with a notice', async () => {
      const { user, authenticator } = await enrolled();
      const { data } = await call('passkey_login_options', '');
      const response = authenticator.get(data);
      await call('passkey_login', '', { response }, from('203.0.113.77'));
      expect(server.lettersTo(user.email).at(-1)).toContain(
        'a login to your account from a new device',
      );
    });

    it('stands for the second factor, which stays needed after a password', async () => {
      const { token, user, authenticator } = await enrolled();
      const { secret } = (await server.form('/api/user/otp_enrol', {}, as(token))).data;
      await server.form('/api/user/otp_confirm', { otp: codeOf(secret) }, as(token));
      expect((await logIn(authenticator)).code).toBe(1);
      expect((await server.login(user.email)).code).toBe(427);
    });

    it('that does not count logs in again and again', async () => {
      const { token } = await server.realUser();
      const authenticator = new SoftAuthenticator(PAGE, { counts: false });
      await add(token, authenticator);
      expect((await logIn(authenticator)).code).toBe(1);
      expect((await logIn(authenticator)).code).toBe(1);
    });

    it('stays valid after a new password, and both let their user in', async () => {
      const { user, authenticator } = await enrolled();
      server.clock.pass(MINUTE);
      await server.sendCode(user.email, 2);
      await server.forget(user.email, server.codeOf(user.email));
      expect((await server.login(user.email, NEW_PASSWORD)).code).toBe(1);
      expect((await logIn(authenticator)).code).toBe(1);
    });
  });

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now() });

  describe('a stolen session', () => {
    it.each(['passkey_options', 'passkey_del'])(
      'gets nothing from %s without the password',
      async (name) => {
        const { token, id } = await enrolled();
        for (const [proof, msg] of [
          [{}, 'Please enter your password'],
          [{ password: 'wrong one' }, 'The password is wrong'],
          [{ otp: '123456' }, 'Please enter your password'],
        ] as const) {
          expect(await call(name, token, { id, ...proof })).toMatchObject({
            code: 2,
            msg,
            data: null,
          });
        }
        expect(await list(token)).toHaveLength(1);
      },
    );

    it.each(['passkey_options', 'passkey_del'])(
      'gets nothing from %s without the second factor, even with the password',
      async (name) => {
        const { token, id } = await enrolled();
        const { secret } = (await server.form('/api/user/otp_enrol', {}, as(token))).data;
        await server.form('/api/user/otp_confirm', { otp: codeOf(secret) }, as(token));
        expect((await call(name, token, { id, password: PASSWORD })).msg).toBe(
          'Please enter the code from your authenticator app',
        );
        const wrong = { id, password: PASSWORD, otp: 'AAAAA-BBBBB' };
        expect((await call(name, token, wrong)).msg).toBe('This code is wrong or was already used');
        server.clock.pass(MINUTE);
        const proof = { password: PASSWORD, otp: codeOf(secret) };
        expect((await call(name, token, { id, ...proof })).code).toBe(1);
      },
    );

    it.each(['passkey_options', 'passkey_del'])(
      'gets nothing from %s by a second factor of its own, as a login with one does',
      async (name) => {
        const { token, user, id } = await enrolled();
        const { token: other } = (await server.login(user.email)).data;
        const { secret } = (await server.form('/api/user/otp_enrol', {}, as(token))).data;
        expect((await call(name, token, { id, otp: codeOf(secret) })).code).toBe(2);
        await server.form('/api/user/otp_confirm', { otp: codeOf(secret) }, as(token));
        server.clock.pass(MINUTE);
        for (const stolen of [token, other]) {
          for (const [password, msg] of [
            ['', 'Please enter your password'],
            ['wrong one', 'The password is wrong'],
          ]) {
            const answer = await call(name, stolen, { id, password, otp: codeOf(secret) });
            expect(answer).toMatchObject({ code: 2, msg, data: null });
          }
        }
        const { data } = await server.login(user.email);
        const step = { ticket: data.ticket, otp: codeOf(secret) };
        const next = (await server.login(user.email, PASSWORD, {}, step)).data.token;
        server.clock.pass(MINUTE);
        expect((await call(name, next, { id, otp: codeOf(secret) })).code).toBe(1);
      },
    );

    it('guesses no password: wrong ones count as failed logins', async () => {
      const { token, user } = await server.realUser();
      for (let n = 0; n < 5; n++) await call('passkey_options', token, { password: 'wrong one' });
      expect((await call('passkey_options', token, { password: PASSWORD })).code).toBe(429);
      expect((await server.login(user.email)).code).toBe(429);
    });

    it('adds no passkey by the challenge of another session, of a login, or of its own making', async () => {
      const { token, user } = await server.realUser();
      const { token: stolen } = (await server.login(user.email)).data;
      const authenticator = new SoftAuthenticator(PAGE);
      const owner = await optionsOf(token);
      const { challenge } = (await call('passkey_login_options', '')).data;
      const expires = server.clock.now() + MINUTE;
      const made = Buffer.from(`${expires}.nonce.mac`).toString('base64url');
      for (const other of [owner.challenge, challenge, made, '']) {
        const response = authenticator.create(owner, { challenge: other });
        expect((await call('passkey_add', stolen, { response })).msg).toBe(WRONG);
      }
      expect(await list(token)).toEqual([]);
    });

    it('adds none five minutes after the password', async () => {
      const { token } = await server.realUser();
      const options = await optionsOf(token);
      const late = new SoftAuthenticator(PAGE).create(options);
      server.clock.pass(5 * MINUTE - 1);
      const inTime = new SoftAuthenticator(PAGE).create(options);
      expect((await call('passkey_add', token, { response: inTime })).code).toBe(1);
      const again = await optionsOf(token);
      server.clock.pass(5 * MINUTE);
      const response = new SoftAuthenticator(PAGE).create(again);
      expect((await call('passkey_add', token, { response })).msg).toBe(WRONG);
      expect((await call('passkey_add', token, { response: late })).msg).toBe(WRONG);
      expect(await list(token)).toHaveLength(1);
    });
  });

  describe('an enrolment', () => {
    it.each<[what: string, changes: Creation]>([
      ['of another origin', { origin: 'https://m.example.com.evil.test' }],
      ['of a host above', { origin: 'https://example.com' }],
      ['of the origin without TLS', { origin: 'http://m.example.com' }],
      ['for another domain', { rpId: 'example.com' }],
      ['of another type', { type: 'webauthn.get' }],
      ['without verification of the user', { unverified: true }],
    ])('%s is refused', async (_, changes) => {
      const { token } = await server.realUser();
      expect(await add(token, undefined, changes)).toMatchObject({ code: 2, msg: WRONG });
      expect(await list(token)).toEqual([]);
    });

    it('is done once', async () => {
      const { token } = await server.realUser();
      const options = await optionsOf(token);
      const all = await Promise.all(
        [1, 2, 3].map(() => {
          const response = new SoftAuthenticator(PAGE).create(options);
          return call('passkey_add', token, { response });
        }),
      );
      expect(all.map(({ code }) => code).sort()).toEqual([1, 2, 2]);
      expect(await list(token)).toHaveLength(1);
    });

    it('of a passkey that somebody has is refused', async () => {
      const { authenticator, user } = await enrolled();
      const { token } = await server.realUser();
      expect((await add(token, authenticator)).msg).toBe('This passkey is already saved');
      expect((await logIn(authenticator)).msg).toBe(WRONG);
      expect(await list(token)).toEqual([]);
      const rows = await database.db.$count(schema.passkeys, eq(schema.passkeys.userId, user.id));
      expect(rows).toBe(1);
    });

    it('of an eleventh passkey is refused, also of simultaneous ones', async () => {
      const { token } = await server.realUser();
      for (let n = 0; n < 9; n++) expect((await add(token)).code).toBe(1);
      const options = [await optionsOf(token), await optionsOf(token)];
      const both = await Promise.all(
        options.map((each) => {
          const response = new SoftAuthenticator(PAGE).create(each);
          return call('passkey_add', token, { response });
        }),
      );
      expect(both.map(({ code }) => code).sort()).toEqual([1, 2]);
      const FULL = 'There are 10 passkeys already, please remove one first';
      expect(both.find(({ code }) => code === 2)?.msg).toBe(FULL);
      expect((await call('passkey_options', token, { password: PASSWORD })).msg).toBe(FULL);
      expect(await list(token)).toHaveLength(10);
    });

    it('with certificates is refused, and nobody asks the addresses in them', async () => {
      let asked = 0;
      const stranger = createServer((_, response) => {
        asked++;
        response.end();
      });
      await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
      const { port } = stranger.address() as AddressInfo;
      const { token } = await server.realUser();
      const x5c = Buffer.from(`http://127.0.0.1:${port}/crl`);
      for (const fmt of [
        'packed',
        'fido-u2f',
        'tpm',
        'apple',
        'android-key',
        'android-safetynet',
      ]) {
        const attStmt = new Map<string, string | Uint8Array>([
          ['x5c', x5c],
          ['sig', x5c],
        ]);
        expect((await add(token, undefined, { attestation: { fmt, attStmt } })).msg).toBe(WRONG);
      }
      expect(asked).toBe(0);
      await new Promise((resolve) => stranger.close(resolve));
    });

    it('of a demo user is refused', async () => {
      const { token } = await server.demoUser();
      expect((await call('passkey_options', token, { password: PASSWORD })).code).toBe(2);
      expect((await server.get('/api/user/passkeys', as(token))).code).toBe(2);
    });
  });

  describe('a login', () => {
    it.each<[what: string, changes: Assertion]>([
      ['from another origin', { origin: 'https://m.example.com.evil.test' }],
      ['from the origin without TLS', { origin: 'http://m.example.com' }],
      ['for another domain', { rpId: 'evil.test' }],
      ['of another type', { type: 'webauthn.create' }],
      ['without verification of the user', { unverified: true }],
      ['for another user', { userHandle: Buffer.from('somebody').toString('base64url') }],
      ['for nobody', { userHandle: undefined }],
      ['with a challenge of its own making', { challenge: 'AAAA' }],
      ['with a counter that stands', { counter: 1 }],
      ['with a counter that goes back', { counter: 0 }],
    ])('%s is refused', async (_, changes) => {
      const { authenticator } = await enrolled();
      expect(await logIn(authenticator, changes)).toMatchObject({
        code: 2,
        msg: WRONG,
        data: null,
      });
      expect((await logIn(authenticator)).code).toBe(1);
    });

    it('is done once, also of simultaneous ones', async () => {
      const { authenticator } = await enrolled();
      const { data } = await call('passkey_login_options', '');
      const response = authenticator.get(data);
      const all = await Promise.all([1, 2, 3].map(() => call('passkey_login', '', { response })));
      expect(all.map(({ code }) => code).sort()).toEqual([1, 2, 2]);
      expect((await call('passkey_login', '', { response })).msg).toBe(WRONG);
    });

    it('of two copies of a passkey at the same time lets one in', async () => {
      const { authenticator } = await enrolled();
      const options = [1, 2].map(async () => (await call('passkey_login_options', '')).data);
      const both = (await Promise.all(options)).map((each) =>
        call('passkey_login', '', { response: authenticator.get(each, { counter: 2 }) }),
      );
      expect((await Promise.all(both)).map(({ code }) => code).sort()).toEqual([1, 2]);
    });

    it('of a passkey that does not count is done once too', async () => {
      const { token } = await server.realUser();
      const authenticator = new SoftAuthenticator(PAGE, { counts: false });
      await add(token, authenticator);
      const { data } = await call('passkey_login_options', '');
      const response = authenticator.get(data);
      expect((await call('passkey_login', '', { response })).code).toBe(1);
      server.clock.pass(4 * MINUTE);
      expect((await call('passkey_login', '', { response })).msg).toBe(WRONG);
      const stored = database.db.$count(schema.usedChallenges);
      expect(await stored).toBeGreaterThan(0);
      server.clock.pass(5 * MINUTE);
      expect((await logIn(authenticator)).code).toBe(1);
      // Those that have expired are gone.
      expect(await database.db.$count(schema.usedChallenges)).toBe(1);
    });

    it('by the challenge of an enrolment, or five minutes late, is refused', async () => {
      const { token, authenticator } = await enrolled();
      const { challenge } = await optionsOf(token);
      expect((await logIn(authenticator, { challenge })).msg).toBe(WRONG);
      const { data } = await call('passkey_login_options', '');
      server.clock.pass(5 * MINUTE);
      const response = authenticator.get(data);
      expect((await call('passkey_login', '', { response })).msg).toBe(WRONG);
    });

    it("with another passkey's signature is refused", async () => {
      const { authenticator, user } = await enrolled();
      const thief = await enrolled();
      const { data } = await call('passkey_login_options', '');
      const { response } = thief.authenticator.get(data);
      const forged = { ...authenticator.get(data), response };
      expect((await call('passkey_login', '', { response: forged })).msg).toBe(WRONG);
      const handle = { ...response, userHandle: authenticator.userHandle };
      const own = { ...authenticator.get(data), response: handle };
      expect((await call('passkey_login', '', { response: own })).msg).toBe(WRONG);
      expect(user.id).not.toBe(thief.user.id);
    });

    it('to a locked account is refused after the passkey, and says no more to strangers', async () => {
      const { authenticator, user } = await enrolled();
      await admin(server.directory, ['lock', user.uid, 'why']);
      expect((await logIn(authenticator)).msg).toBe('This account is locked. Please contact us');
      expect((await logIn(authenticator, { origin: 'https://evil.test' })).msg).toBe(WRONG);
    });

    it('says nothing of accounts: the options are the same for everybody', async () => {
      const { authenticator } = await enrolled();
      const first = (await call('passkey_login_options', '')).data;
      const second = (await call('passkey_login_options', '')).data;
      expect({ ...first, challenge: '' }).toEqual({ ...second, challenge: '' });
      expect(first).not.toHaveProperty('allowCredentials');
      expect(first.challenge).not.toBe(second.challenge);
      expect(first).toMatchObject({ rpId: 'm.example.com', userVerification: 'required' });
      const unknown = await logIn(new SoftAuthenticator(PAGE), {
        userHandle: authenticator.userHandle,
      });
      expect(unknown).toMatchObject({ code: 2, msg: WRONG });
    });

    it('is limited by network, as one with a password', async () => {
      const { authenticator } = await enrolled();
      const stranger = new SoftAuthenticator(PAGE);
      const attempt = async (each: SoftAuthenticator, ip: string) => {
        const { data } = await call('passkey_login_options', '');
        const response = each.get(data, each === stranger ? { userHandle: 'AAAA' } : {});
        return call('passkey_login', '', { response }, from(ip));
      };
      for (let n = 0; n < 30; n++) {
        expect((await attempt(stranger, '203.0.113.5')).code).toBe(2);
      }
      expect((await attempt(authenticator, '203.0.113.5')).code).toBe(429);
      expect((await attempt(authenticator, '198.51.100.5')).code).toBe(1);
    });
  });

  describe('the owner of passkeys', () => {
    it('is the only one who sees and removes them', async () => {
      const { id, token, authenticator } = await enrolled();
      const other = await server.realUser();
      expect(await list(other.token)).toEqual([]);
      const removal = { id, password: PASSWORD };
      expect((await call('passkey_del', other.token, removal)).msg).toBe(
        'This passkey does not exist any more',
      );
      expect(await list(token)).toHaveLength(1);
      expect((await logIn(authenticator)).code).toBe(1);
    });

    it('loses all of them by the operator, who logs devices out, and with the account', async () => {
      const { token, user, authenticator } = await enrolled();
      expect((await admin(server.directory, ['user', user.uid])).out).toMatch(/^passkeys +1$/m);
      const { out } = await admin(server.directory, [
        'reset',
        'passkeys',
        user.uid,
        'Lost',
        'phone',
      ]);
      expect(out).toContain('1 removed.');
      expect(server.lettersTo(user.email).at(-1)).toContain('All passkeys were removed');
      expect((await server.get('/api/user/info', as(token))).code).toBe(999);
      expect((await logIn(authenticator)).msg).toBe(WRONG);
      const again = await admin(server.directory, ['reset', 'passkeys', user.uid, 'why']);
      expect(again.out).toContain('has no passkey');

      const session = (await server.login(user.email)).data;
      const next = new SoftAuthenticator(PAGE);
      await add(session.token, next);
      const closing = { password: PASSWORD };
      expect(
        (await server.form('/api/user/export', closing, as(session.token))).data.passkeys,
      ).toEqual([expect.objectContaining({ credentialId: next.id })]);
      expect((await server.form('/api/user/close_account', closing, as(session.token))).code).toBe(
        1,
      );
      expect(await database.db.$count(schema.passkeys, eq(schema.passkeys.userId, user.id))).toBe(
        0,
      );
      expect((await logIn(next)).msg).toBe(WRONG);
    });
  });

  it('what is no passkey is refused as malformed, and breaks nothing', async () => {
    const { token, authenticator } = await enrolled();
    const made = authenticator.create(await optionsOf(token));
    const given = authenticator.get((await call('passkey_login_options', '')).data);
    const part = (name: string, value: unknown) => ({
      ...made,
      response: { ...made.response, [name]: value },
    });
    for (const response of [
      undefined,
      '',
      [],
      {},
      { ...made, id: '' },
      { ...made, id: 'a'.repeat(1_365) },
      { ...made, type: 'password' },
      part('clientDataJSON', 'not base64!'),
      part('attestationObject', 'a'.repeat(30_001)),
      part('transports', ['\0']),
      part('transports', 'internal'),
    ]) {
      expect((await call('passkey_add', token, { response })).code).toBe(400);
    }
    // Well formed, and nonsense.
    for (const text of [
      '{}',
      '[]',
      'null',
      '{"challenge":1}',
      '{"type":"webauthn.create","challenge":{}}',
    ]) {
      const clientDataJSON = Buffer.from(text).toString('base64url');
      const add = part('clientDataJSON', clientDataJSON);
      expect((await call('passkey_add', token, { response: add })).msg).toBe(WRONG);
      const login = { ...given, response: { ...given.response, clientDataJSON } };
      expect((await call('passkey_login', '', { response: login })).msg).toBe(WRONG);
    }
    for (const bytes of ['AA', 'oA', 'v_8', 'm'.repeat(29_999)]) {
      const add = part('attestationObject', bytes);
      expect((await call('passkey_add', token, { response: add })).msg).toBe(WRONG);
      for (const name of ['authenticatorData', 'signature', 'clientDataJSON']) {
        const login = { ...given, response: { ...given.response, [name]: bytes } };
        expect((await call('passkey_login', '', { response: login })).msg).toBe(WRONG);
      }
    }
    expect((await logIn(authenticator)).code).toBe(1);
  });
});
