import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/core/language';
import { as, type TestServer } from '../server/support/testServer';
import { startServer } from './calls';

let server: TestServer;
beforeAll(async () => {
  server = await startServer(['--title', 'Lever House']);
});
afterAll(() => server.close());

const COMMON = 'This password is too common, please choose another one';
const PERSONAL = 'The password must not be made of your address or the name of the app';

describe.each([
  ['password', COMMON],
  ['12345678', COMMON],
  ['Password123', COMMON],
  ['aaaaaaaaaaaaaaaa', COMMON],
  ['qyqyqyqyqyqyqyqy', COMMON],
  ['weakpersonpassword', COMMON],
  ['weak.person@example.com', PERSONAL],
  ['eak.pers', PERSONAL],
  ['weakperson1', PERSONAL],
  ['leverhouse', PERSONAL],
  ['Lever House 1', PERSONAL],
])('%s', (password, msg) => {
  const email = 'weak.person@example.com';
  const expected = expect.stringMatching(
    msg === COMMON ? COMMON : new RegExp(`${PERSONAL}|${COMMON}`),
  );

  it('does not register a user', async () => {
    const reply = await server.register(email, { password, re_password: password, sms_code: '1' });
    expect(reply).toMatchObject({ code: 2, msg: expected, data: null });
  });

  it('does not replace a forgotten password, whether the account is known or not', async () => {
    expect(await server.forget(email, '123456', password)).toMatchObject({
      code: 2,
      msg: expected,
    });
  });

  it('does not replace a password', async () => {
    const { token, user } = await server.realUser(`weak.person@${Math.random()}.example.com`);
    await server.sendCode(user.email, 2);
    const params = { new_password: password, auth_code: server.codeOf(user.email), type: 'email' };
    const reply = await server.post('/api/user/amend_password', params, as(token));
    expect(reply).toMatchObject({ code: 2, data: null });
    expect((await server.login(user.email)).code).toBe(1);
  });
});

it('is refused in every language', async () => {
  const messages = new Set<string>();
  for (const lang of LANGUAGES) {
    const params = {
      ...{ type: 'email', account: 'a@example.com', auth_code: '123456' },
      ...{ new_password: 'password', secondary_password: 'password' },
    };
    const { msg } = await server.post('/api/user/forget_password', params, { lang });
    expect(msg.length).toBeGreaterThan(8);
    messages.add(msg);
  }
  expect(messages.size).toBe(LANGUAGES.length);
});
