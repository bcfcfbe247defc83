import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownInviter } from '../../../server/account/invitations';
import { inTurn } from '../../helpers/samples';
import { onEachDatabase } from '../support/database';
import { as, PASSWORD, TestServer } from '../support/testServer';

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  const invited = async (email: string, changes: Parameters<TestServer['register']>[1] = {}) => {
    await server.sendCode(email, 1);
    return server.register(email, changes);
  };

  it('creates a user who is logged in, with an invitation code and a balance of zero', async () => {
    const { code, data } = await invited('Ada@Example.com', {
      account: ' Ada@Example.com ',
      sms_code: await server
        .sendCode('ada@example.com', 1)
        .then(() => server.codeOf('ada@example.com')),
    });
    expect(code).toBe(1);
    expect(data.user).toEqual({
      id: expect.any(Number),
      uid: expect.stringMatching(/^\d{9}$/),
      email: 'ada@example.com',
      mobile: '',
      is_demo: 0,
      invite_code: expect.stringMatching(/^[2-9A-Z]{8}$/),
      otp: 0,
    });
    const info = await server.get('/api/user/info', as(data.token));
    expect(info.data).toEqual(data.user);
    const balance = await server.get('/v1/api/main/wallet/getBalance', as(data.token));
    expect(balance).toMatchObject({
      code: 1,
      data: { balance: '0.000000', lock_balance: '0.000000' },
    });
    expect((await server.login('ADA@example.com')).data.user).toEqual(data.user);
  });

  it.each([
    ['in groups', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['with a dash', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    [
      'in other digits',
      (code: string) => code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? ''),
    ],
  ])('takes the sent code %s', async (_, typed) => {
    const address = `${_.replaceAll(' ', '.')}@example.com`;
    await server.sendCode(address, 1);
    const registered = await server.register(address, { sms_code: typed(server.codeOf(address)) });
    expect(registered.code).toBe(1);
  });

  it('registers a mobile number of its area', async () => {
    const { data: areas } = await server.get('/api/default/area_list');
    const hk = areas.find(({ code }: { code: string }) => code === 'HK');
    await server.sendCode('85261234567', 1);
    const mobile = {
      type: 'mobile',
      area_id: hk.id,
      account: '85261234567',
      mobile: '61234567',
      sms_code: server.codeOf('85261234567'),
    };
    for (const [changes, msg] of [
      [{ area_id: 0 }, /choose the country code/],
      [{ area_id: 999 }, /choose the country code/],
      [
        { area_id: areas.find(({ code }: { code: string }) => code === 'DE').id },
        /chosen country code/,
      ],
      [{ mobile: '99999999' }, /chosen country code/],
    ] as const) {
      const refused = await server.register('', { ...mobile, ...changes });
      expect(refused).toMatchObject({ code: 2, msg: expect.stringMatching(msg) });
    }
    const { data } = await server.register('', mobile);
    expect(data.user).toMatchObject({ email: '', mobile: '85261234567' });
    expect((await server.login('85261234567')).code).toBe(1);
  });

  it.each([
    [{ account: '' }, 'Please enter your email address'],
    [{ type: 'mobile', account: '' }, 'Please enter your cell phone number'],
    [{ account: 'nonsense' }, 'This is not an email address'],
    [{ password: '', re_password: '' }, 'Please enter your password'],
    [{ re_password: '' }, 'Re-type the password'],
    [{ re_password: 'something else' }, 'Password inconsistency'],
    [{ password: 'short', re_password: 'short' }, 'The password needs at least 8 characters'],
    [{ invite_code: '' }, 'Please enter the invitation code'],
    [{ invite_code: ' ' }, 'Please enter the invitation code'],
    // Joiners and a soft hyphen, of which nothing is read.
    [{ invite_code: '\u200c\u200d\u00ad' }, 'Please enter the invitation code'],
    [{ sms_code: '' }, 'Please enter the verification code'],
    [{ sms_code: '\u200d' }, 'Please enter the verification code'],
    [{ sms_code: '000000' }, 'The verification code is wrong or has expired'],
  ])('refuses %j: %s', async (changes, msg) => {
    const refused = await server.register('refused@example.com', {
      sms_code: '123456',
      ...changes,
    });
    expect(refused).toMatchObject({ status: 200, code: 2, msg, data: null });
  });

  it('refuses an unknown type as malformed', async () => {
    expect((await server.register('x@example.com', { type: 'pigeon' })).code).toBe(400);
  });

  describe('an invitation', () => {
    it('may come from any user, in upper or lower case; an unknown one does not use up the sent code', async () => {
      const inviter = await server.realUser();
      await server.sendCode('guest@example.com', 1);
      const unknown = await server.register('guest@example.com', { invite_code: 'NOBODY99' });
      expect(unknown).toMatchObject({ code: 2, msg: 'There is no invitation code NOBODY99' });
      const digits = await server.register('guest@example.com', { invite_code: '88888888' });
      expect(digits.msg).toBe('There is no invitation code 88888888');
      const known = await server.register('guest@example.com', {
        invite_code: ` ${inviter.user.invite_code.toLowerCase()} `,
      });
      expect(known.code).toBe(1);
    });

    it('of the server is the same after a restart', async () => {
      const again = await TestServer.open(database.db, { directory: server.directory });
      expect(again.inviteCode).toBe(server.inviteCode);
      expect(server.inviteCode).toMatch(/^[2-9A-Z]{8}$/);
      await again.close();
      const other = await TestServer.open(database.db);
      expect(other.inviteCode).not.toBe(server.inviteCode);
      await other.close();
    });

    it('does not come from demo users, whose code is empty', async () => {
      await server.demoUser();
      const refused = await invited('lonely@example.com', { invite_code: '  ' });
      expect(refused.msg).toBe('Please enter the invitation code');
      expect(await ownInviter(database.db, '')).toBeUndefined();
    });
  });

  describe('a code', () => {
    it('registers only one of several simultaneous requests', async () => {
      await server.sendCode('twin@example.com', 1);
      const attempts = await Promise.all(
        Array.from({ length: 4 }, () => server.register('twin@example.com')),
      );
      expect(attempts.filter(({ code }) => code === 1)).toHaveLength(1);
      for (const { code, msg } of attempts) {
        if (code !== 1) expect(msg).toBe('The verification code is wrong or has expired');
      }
      const again = await server.register('twin@example.com');
      expect(again.msg).toBe('The verification code is wrong or has expired');
    });

    it('is not sent to an address that has an account: its owner gets a notice instead', async () => {
      const { user } = await server.realUser();
      server.clock.pass(60_000);
      expect((await server.sendCode(user.email, 1)).code).toBe(1);
      expect(server.lettersTo(user.email).at(-1)).toMatch(/already an account/);
    });
  });

  inTurn(it)('stores only an Argon2id hash of the password', async () => {
    const { user } = await server.realUser();
    const { rows } = await database.db.execute<{ password_hash: string }>(
      `select password_hash from credentials where user_id = ${user.id}`,
    );
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const everything = await database.db.execute(`select * from users, credentials, codes`);
    expect(JSON.stringify(everything.rows)).not.toContain(PASSWORD);
    expect(JSON.stringify(everything.rows)).not.toContain(server.codeOf(user.email));
  });
});
