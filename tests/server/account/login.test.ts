import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase, onEachDatabase } from '../support/database';
import { as, from, House, PASSWORD } from '../support/testServer';

const WRONG = 'The account or the password is wrong';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

onEachDatabase((database) => {
  let house: House;
  beforeAll(async () => {
    house = await House.open(database.db);
  });
  afterAll(() => house.close());

  it('opens a session with the right password alone', async () => {
    const { user } = await house.realUser();
    const { data } = await house.login(user.email);
    expect((await house.get('/api/user/info', as(data.token))).data).toEqual(user);
    for (const password of ['wrong one', PASSWORD.toUpperCase(), `${PASSWORD} `]) {
      expect(await house.login(user.email, password)).toMatchObject({ code: 2, msg: WRONG });
    }
    expect((await house.login(user.email, '')).msg).toBe('Please enter your password');
    expect((await house.login('@', PASSWORD)).msg).toBe(WRONG);
  });

  it('knows a password in whichever form a keyboard writes it', async () => {
    const email = 'keyboard@example.com';
    await house.sendCode(email, 1);
    const typed = { password: 'Ångström ﬁn', re_password: 'Ångström ﬁn' };
    await house.register(email, typed);
    expect((await house.login(email, 'A\u030Angstro\u0308m fin')).code).toBe(1);
  });

  it('serves any number of right logins at once', async () => {
    const { user } = await house.realUser();
    const replies = await Promise.all(Array.from({ length: 12 }, () => house.login(user.email)));
    expect(replies.map(({ code }) => code)).toEqual(Array(12).fill(1));
  });

  it.each([
    ['known', true],
    ['unknown', false],
  ])('slows down after five failures, the account being %s', async (_, known) => {
    const email = known ? (await house.realUser()).user.email : 'nobody@example.com';
    const fail = () => house.login(email, 'wrong one');
    for (let i = 0; i < 5; i++) expect(await fail()).toMatchObject({ code: 2, msg: WRONG });
    for (const seconds of [1, 2, 4, 8]) {
      expect(await fail()).toMatchObject({
        status: 200,
        code: 429,
        msg: `Too many attempts, please try again in ${seconds} s`,
      });
      // Nor is the right one listened to.
      expect((await house.login(email)).code).toBe(429);
      house.clock.pass(seconds * SECOND - 1);
      expect((await fail()).code).toBe(429);
      house.clock.pass(1);
      expect((await fail()).code).toBe(2);
    }
    house.clock.pass(16 * SECOND);
    expect((await house.login(email)).code).toBe(known ? 1 : 2);
    if (known) expect((await fail()).code).toBe(2);
  });

  it('never waits longer than fifteen minutes, and forgets after an hour', async () => {
    const { user } = await house.realUser();
    const fail = () => house.login(user.email, 'wrong one');
    for (let i = 0; i < 20; i++) {
      await fail();
      house.clock.pass(15 * MINUTE);
    }
    expect((await fail()).code).toBe(2);
    expect((await fail()).msg).toBe('Too many attempts, please try again in 900 s');
    house.clock.pass(60 * MINUTE);
    for (let i = 0; i < 5; i++) expect((await fail()).code).toBe(2);
  });

  it('bears no more failures when they come at once', async () => {
    const { user } = await house.realUser();
    const replies = await Promise.all(
      Array.from({ length: 15 }, () => house.login(user.email, 'wrong one')),
    );
    expect(replies.filter(({ code }) => code === 2)).toHaveLength(5);
    expect(replies.filter(({ code }) => code === 429)).toHaveLength(10);
  });

  describe('from one network', () => {
    it('slows down after thirty failures, whatever the accounts', async () => {
      const fail = (i: number, address: string) =>
        house.login(`victim${i}@example.com`, 'wrong one', from(address));
      const attempts = Array.from({ length: 30 }, (_, i) => fail(i, '198.51.100.4'));
      for (const { code } of await Promise.all(attempts)) expect(code).toBe(2);
      expect((await fail(31, '198.51.100.4')).code).toBe(429);
      expect((await fail(32, '198.51.100.5')).code).toBe(2);
      house.clock.pass(SECOND);
      expect((await fail(33, '198.51.100.4')).code).toBe(2);
      expect((await fail(34, '198.51.100.4')).msg).toMatch(/in 2 s$/);
    });

    it('does not count right ones', async () => {
      const { user } = await house.realUser();
      for (let i = 0; i < 35; i++) {
        const { code } = await house.login(user.email, PASSWORD, from('198.51.100.9'));
        expect(code).toBe(1);
      }
    });

    it('believes nobody about the address but the proxy', async () => {
      const fail = (claimed: string) =>
        house.login('proxied@example.com', 'wrong one', {
          'x-forwarded-for': `${claimed}, 198.51.100.77`,
        });
      for (let i = 0; i < 5; i++) await fail(`10.0.0.${i}`);
      for (let i = 0; i < 25; i++) {
        await house.login(`p${i}@example.com`, 'wrong one', from('198.51.100.77'));
      }
      expect((await fail('10.1.1.1')).code).toBe(429);
    });
  });
});

it('leaves mobile numbers aside where they are not in use', async () => {
  const database = await emptyDatabase();
  const house = await House.open(database.db, { args: ['--show-mobile', '0'] });
  const number = '85261234567';
  const mobile = { type: 'mobile', area_id: 194, account: number, mobile: '61234567' };
  for (const reply of [
    await house.login(number),
    await house.sendCode(number, 1),
    await house.register('', { ...mobile, sms_code: '123456' }),
    await house.forget(number, '123456'),
  ]) {
    expect(reply).toMatchObject({
      code: 2,
      msg: expect.stringMatching(/^Cell phone numbers are not/),
    });
  }
  await house.close();
  await database.close();
});
