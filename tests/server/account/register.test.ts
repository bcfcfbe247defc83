import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEachDatabase } from '../support/database';
import { as, House, PASSWORD } from '../support/testServer';

onEachDatabase((database) => {
  let house: House;
  beforeAll(async () => {
    house = await House.open(database.db);
  });
  afterAll(() => house.close());

  const invited = async (email: string, changes: Parameters<House['register']>[1] = {}) => {
    await house.sendCode(email, 1);
    return house.register(email, changes);
  };

  it('makes a user who is logged in, has an invitation code and nothing on the account', async () => {
    const { code, data } = await invited('Ada@Example.com', {
      account: ' Ada@Example.com ',
      sms_code: await house
        .sendCode('ada@example.com', 1)
        .then(() => house.codeOf('ada@example.com')),
    });
    expect(code).toBe(1);
    expect(data.user).toEqual({
      id: expect.any(Number),
      uid: expect.stringMatching(/^\d{9}$/),
      email: 'ada@example.com',
      mobile: '',
      is_demo: 0,
      invite_code: expect.stringMatching(/^[2-9A-Z]{8}$/),
    });
    const info = await house.get('/api/user/info', as(data.token));
    expect(info.data).toEqual(data.user);
    const balance = await house.get('/v1/api/main/wallet/getBalance', as(data.token));
    expect(balance).toMatchObject({
      code: 1,
      data: { balance: '0.000000', lock_balance: '0.000000' },
    });
    expect((await house.login('ADA@example.com')).data.user).toEqual(data.user);
  });

  it('registers a mobile number of its area', async () => {
    const { data: areas } = await house.get('/api/default/area_list');
    const hk = areas.find(({ code }: { code: string }) => code === 'HK');
    await house.sendCode('85261234567', 1);
    const mobile = {
      type: 'mobile',
      area_id: hk.id,
      account: '85261234567',
      mobile: '61234567',
      sms_code: house.codeOf('85261234567'),
    };
    for (const [changes, msg] of [
      [{ area_id: 0 }, /choose the area/],
      [{ area_id: 999 }, /choose the area/],
      [{ area_id: areas.find(({ code }: { code: string }) => code === 'DE').id }, /calling code/],
      [{ mobile: '99999999' }, /calling code/],
    ] as const) {
      const refused = await house.register('', { ...mobile, ...changes });
      expect(refused).toMatchObject({ code: 2, msg: expect.stringMatching(msg) });
    }
    const { data } = await house.register('', mobile);
    expect(data.user).toMatchObject({ email: '', mobile: '85261234567' });
    expect((await house.login('85261234567')).code).toBe(1);
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
    [{ sms_code: '' }, 'Please enter the verification code'],
    [{ sms_code: '000000' }, 'The verification code is wrong or has expired'],
  ])('refuses %j: %s', async (changes, msg) => {
    const refused = await house.register('refused@example.com', { sms_code: '123456', ...changes });
    expect(refused).toMatchObject({ status: 200, code: 2, msg, data: null });
  });

  it('finds a type that is none malformed', async () => {
    expect((await house.register('x@example.com', { type: 'pigeon' })).code).toBe(400);
  });

  describe('an invitation', () => {
    it('may be by any user, in any case, and keeps the code good when it is unknown', async () => {
      const inviter = await house.realUser();
      await house.sendCode('guest@example.com', 1);
      const unknown = await house.register('guest@example.com', { invite_code: 'NOBODY99' });
      expect(unknown).toMatchObject({ code: 2, msg: 'There is no invitation code NOBODY99' });
      const known = await house.register('guest@example.com', {
        invite_code: ` ${inviter.user.invite_code.toLowerCase()} `,
      });
      expect(known.code).toBe(1);
    });

    it('by the house is the same after a restart', async () => {
      const again = await House.open(database.db, { directory: house.directory });
      expect(again.inviteCode).toBe(house.inviteCode);
      expect(house.inviteCode).toMatch(/^[2-9A-Z]{8}$/);
      await again.close();
      const other = await House.open(database.db);
      expect(other.inviteCode).not.toBe(house.inviteCode);
      await other.close();
    });

    it('is not by demo users, whose code is empty', async () => {
      await house.demoUser();
      const refused = await invited('lonely@example.com', { invite_code: '  ' });
      expect(refused.msg).toBe('Please enter the invitation code');
    });
  });

  describe('a code', () => {
    it('registers once, whoever is faster', async () => {
      await house.sendCode('twin@example.com', 1);
      const attempts = await Promise.all(
        Array.from({ length: 4 }, () => house.register('twin@example.com')),
      );
      expect(attempts.filter(({ code }) => code === 1)).toHaveLength(1);
      for (const { code, msg } of attempts) {
        if (code !== 1) expect(msg).toBe('The verification code is wrong or has expired');
      }
      const again = await house.register('twin@example.com');
      expect(again.msg).toBe('The verification code is wrong or has expired');
    });

    it('is not sent to the address of an account: its owner is told instead', async () => {
      const { user } = await house.realUser();
      house.clock.pass(60_000);
      expect((await house.sendCode(user.email, 1)).code).toBe(1);
      expect(house.lettersTo(user.email).at(-1)).toMatch(/already an account/);
    });
  });

  it('keeps of the password only an Argon2id hash', async () => {
    const { user } = await house.realUser();
    const { rows } = await database.db.execute<{ password_hash: string }>(
      `select password_hash from credentials where user_id = ${user.id}`,
    );
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const everything = await database.db.execute(`select * from users, credentials, codes`);
    expect(JSON.stringify(everything.rows)).not.toContain(PASSWORD);
    expect(JSON.stringify(everything.rows)).not.toContain(house.codeOf(user.email));
  });
});
