import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn } from '../../helpers/samples';
import { readCaptcha } from '../support/captchas';
import { emptyDatabase, onEachDatabase } from '../support/database';
import { as, from, PASSWORD, TestServer } from '../support/testServer';

const WRONG = 'The account or the password is wrong';
const CAPTCHA = 'Please enter the characters in the picture';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  it('opens a session only with the right password', async () => {
    const { user } = await server.realUser();
    const { data } = await server.login(user.email);
    expect((await server.get('/api/user/info', as(data.token))).data).toEqual(user);
    for (const password of ['wrong one', PASSWORD.toUpperCase(), `${PASSWORD} `]) {
      expect(await server.login(user.email, password)).toMatchObject({ code: 2, msg: WRONG });
    }
    expect((await server.login(user.email, '')).msg).toBe('Please enter your password');
    expect((await server.login('@', PASSWORD)).msg).toBe(WRONG);
  });

  it('accepts a password in every Unicode form', async () => {
    const email = 'keyboard@example.com';
    await server.sendCode(email, 1);
    const typed = { password: 'Ångström ﬁn', re_password: 'Ångström ﬁn' };
    await server.register(email, typed);
    expect((await server.login(email, 'A\u030Angstro\u0308m fin')).code).toBe(1);
  });

  it('accepts any number of simultaneous correct logins', async () => {
    const { user } = await server.realUser();
    const replies = await Promise.all(Array.from({ length: 12 }, () => server.login(user.email)));
    expect(replies.map(({ code }) => code)).toEqual(Array(12).fill(1));
  });

  it.each([
    ['known', true],
    ['unknown', false],
  ])('slows down after five failures on an account that is %s', async (_, known) => {
    const email = known ? (await server.realUser()).user.email : 'nobody@example.com';
    const fail = () => server.login(email, 'wrong one');
    for (let i = 0; i < 5; i++) expect(await fail()).toMatchObject({ code: 2, msg: WRONG });
    for (const seconds of [1, 2, 4, 8]) {
      expect(await fail()).toMatchObject({
        status: 200,
        code: 429,
        msg: `Too many attempts, please try again in ${seconds} s`,
      });
      // Even the right password is refused.
      expect((await server.login(email)).code).toBe(429);
      server.clock.pass(seconds * SECOND - 1);
      expect((await fail()).code).toBe(429);
      server.clock.pass(1);
      expect((await fail()).code).toBe(2);
    }
    server.clock.pass(16 * SECOND);
    expect((await server.login(email)).code).toBe(known ? 1 : 2);
    if (known) expect((await fail()).code).toBe(2);
  });

  inTurn(it)('requires a captcha instead of longer waits, until an hour has passed', async () => {
    const { user } = await server.realUser();
    const fail = (captcha = {}) => server.login(user.email, 'wrong one', {}, captcha);
    for (let i = 0; i < 11; i++) {
      expect((await fail()).code).toBe(2);
      server.clock.pass(32 * SECOND);
    }
    const asked = await fail();
    expect(asked).toMatchObject({ status: 200, code: 428, msg: CAPTCHA, data: null });
    // Time alone does not help, nor does the right password.
    server.clock.pass(30 * MINUTE);
    expect(await server.login(user.email)).toEqual(asked);
    expect(await fail(await readCaptcha(server))).toMatchObject({ code: 2, msg: WRONG });
    server.clock.pass(60 * MINUTE);
    for (let i = 0; i < 5; i++) expect((await fail()).code).toBe(2);
  });

  it('accepts a captcha once, and requires another after a wrong one', async () => {
    const { user } = await server.realUser();
    const captcha = await readCaptcha(server);
    const wrong = { ...captcha, captcha_text: 'WRONG' };
    const refused = await server.login(user.email, PASSWORD, {}, wrong);
    expect(refused).toMatchObject({ code: 428, msg: expect.stringMatching(/try a new picture/) });
    expect(await server.login(user.email, PASSWORD, {}, captcha)).toEqual(refused);
    const another = await readCaptcha(server);
    expect((await server.login(user.email, PASSWORD, {}, another)).code).toBe(1);
    expect(await server.login(user.email, PASSWORD, {}, another)).toEqual(refused);
  });

  it('allows no more failures when they are simultaneous', async () => {
    const { user } = await server.realUser();
    const replies = await Promise.all(
      Array.from({ length: 15 }, () => server.login(user.email, 'wrong one')),
    );
    expect(replies.filter(({ code }) => code === 2)).toHaveLength(5);
    expect(replies.filter(({ code }) => code === 429)).toHaveLength(10);
  });

  describe('from one network', () => {
    inTurn(it)('slows down after thirty failures on any accounts', async () => {
      const fail = (i: number, address: string) =>
        server.login(`victim${i}@example.com`, 'wrong one', from(address));
      const attempts = Array.from({ length: 30 }, (_, i) => fail(i, '198.51.100.4'));
      for (const { code } of await Promise.all(attempts)) expect(code).toBe(2);
      expect((await fail(31, '198.51.100.4')).code).toBe(429);
      expect((await fail(32, '198.51.100.5')).code).toBe(2);
      server.clock.pass(SECOND);
      expect((await fail(33, '198.51.100.4')).code).toBe(2);
      expect((await fail(34, '198.51.100.4')).msg).toMatch(/in 2 s$/);
    });

    inTurn(it)('then requires a captcha, with which the owner logs in', async () => {
      const { user } = await server.realUser();
      const address = from('198.51.100.6');
      for (let i = 0; i < 36; i++) {
        await server.login(`guess${i}@example.com`, 'wrong one', address);
        server.clock.pass(32 * SECOND);
      }
      expect((await server.login(user.email, PASSWORD, address)).code).toBe(428);
      const captcha = await readCaptcha(server, address);
      expect((await server.login(user.email, PASSWORD, address, captcha)).code).toBe(1);
    });

    inTurn(it)('does not count correct logins', async () => {
      const { user } = await server.realUser();
      for (let i = 0; i < 35; i++) {
        const { code } = await server.login(user.email, PASSWORD, from('198.51.100.9'));
        expect(code).toBe(1);
      }
    });

    inTurn(it)('uses the address only from a trusted proxy', async () => {
      const fail = (claimed: string) =>
        server.login('proxied@example.com', 'wrong one', {
          'x-forwarded-for': `${claimed}, 198.51.100.77`,
        });
      for (let i = 0; i < 5; i++) await fail(`10.0.0.${i}`);
      for (let i = 0; i < 25; i++) {
        await server.login(`p${i}@example.com`, 'wrong one', from('198.51.100.77'));
      }
      expect((await fail('10.1.1.1')).code).toBe(429);
    });
  });
});

inTurn(it)('refuses mobile numbers if they are switched off', async () => {
  const database = await emptyDatabase();
  const server = await TestServer.open(database.db, { args: ['--show-mobile', '0'] });
  const number = '85261234567';
  const mobile = { type: 'mobile', area_id: 194, account: number, mobile: '61234567' };
  for (const reply of [
    await server.login(number),
    await server.sendCode(number, 1),
    await server.register('', { ...mobile, sms_code: '123456' }),
    await server.forget(number, '123456'),
  ]) {
    expect(reply).toMatchObject({
      code: 2,
      msg: expect.stringMatching(/^Phone numbers are not/),
    });
  }
  await server.close();
  await database.close();
});
