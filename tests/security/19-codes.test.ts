import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../../server/db/schema';
import { notItsTurn, SUITES } from '../helpers/samples';
import { readCaptcha } from '../server/support/captchas';
import { onEachDatabaseUnless } from '../server/support/database';
import { PATIENT } from '../server/support/patient';
import { from, TestServer } from '../server/support/testServer';

const MINUTE = 60_000;
const WRONG = 'The verification code is wrong or has expired';

onEachDatabaseUnless(notItsTurn('codes under attack', SUITES), (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  it('says how long it is valid, and when the next one may be requested', async () => {
    expect(await server.sendCode('terms@example.com', 1)).toMatchObject({
      code: 1,
      msg: 'The code is on its way. It is valid for 10 minutes',
      data: { expires_in: 600, retry_after: 60 },
    });
    expect(server.codeOf('terms@example.com')).toMatch(/^\d{6}$/);
  });

  it('is forgotten after a day, and with it the address', async () => {
    const [old, newer] = ['forgotten@example.com', 'known@example.com'];
    const stored = (address: string) => database.db.$count(codes, eq(codes.address, address));
    await server.sendCode(old, 1);
    server.clock.jump(2 * 60 * MINUTE);
    await server.sendCode(newer, 1);
    expect(await stored(old)).toBe(1);
    server.clock.jump(22 * 60 * MINUTE);
    server.clock.pass(60 * MINUTE);
    await expect.poll(() => stored(old), PATIENT).toBe(0);
    expect(await stored(newer)).toBe(1);
  });

  it.each([
    ['', 'Please enter your email address'],
    ['nonsense', 'This is not an email address'],
    ['a@b.cd\r\nBcc: eve@example.com', 'This is not an email address'],
  ])('is not sent to %j', async (to, msg) => {
    const refused = await server.post('/api/notify/send_email', { to, area_id: 0, type: 1 });
    expect(refused).toMatchObject({ code: 2, msg });
  });

  it.each([
    ['', 0, 'Please enter your cell phone number'],
    ['852612', 0, 'This is not a phone number'],
    ['85261234567;85298765432', 0, 'This is not a phone number'],
    ['8613800000000', 0, 'Please choose the country code of your phone number'],
    ['85261234567', 9999, 'Please choose the country code of your phone number'],
    ['85261234567', 83, 'The phone number does not begin with the chosen country code'],
  ])('is not sent to number %j of area %j', async (to, area_id, msg) => {
    const refused = await server.post('/api/notify/send_sms', { to, area_id, type: 1 });
    expect(refused).toMatchObject({ code: 2, msg });
  });

  it('is sent to a number once in a minute, however the number is written', async () => {
    const number = '85261234501';
    expect((await server.sendCode(number, 1)).code).toBe(1);
    for (const to of ['+852 6123 4501', '85285261234501', '٨٥٢٦١٢٣٤٥٠١']) {
      expect(await server.sendCode(to, 1)).toMatchObject({
        code: 2,
        msg: 'Please wait 60 s before you request another code',
      });
    }
    expect(server.printed.filter((line) => line.includes('61234501'))).toHaveLength(1);
  });

  it('needs a purpose', async () => {
    for (const type of [0, 4, '']) {
      const to = 'what@example.com';
      const refused = await server.post('/api/notify/send_email', { to, area_id: 0, type });
      expect(refused.code).toBe(400);
    }
  });

  it('is sent again after a minute, not before; one of two simultaneous requests succeeds', async () => {
    const to = 'again@example.com';
    const replies = await Promise.all([1, 2, 3].map(() => server.sendCode(to, 1)));
    expect(replies.map(({ code }) => code).sort()).toEqual([1, 2, 2]);
    expect(server.lettersTo(to)).toHaveLength(1);
    const first = server.codeOf(to);
    server.clock.pass(MINUTE - 1);
    expect(await server.sendCode(to, 1)).toMatchObject({
      code: 2,
      msg: 'Please wait 1 s before you request another code',
    });
    server.clock.pass(1);
    expect((await server.sendCode(to, 1)).code).toBe(1);
    expect(server.lettersTo(to)).toHaveLength(2);
    if (first !== server.codeOf(to)) {
      expect((await server.register(to, { sms_code: first })).msg).toBe(WRONG);
    }
    expect((await server.register(to)).code).toBe(1);
  });

  it('is valid for ten minutes', async () => {
    await server.sendCode('late@example.com', 1);
    await server.sendCode('later@example.com', 1);
    server.clock.pass(10 * MINUTE - 1);
    expect((await server.register('late@example.com')).code).toBe(1);
    server.clock.pass(1);
    expect((await server.register('later@example.com')).msg).toBe(WRONG);
  });

  it('stays valid after four wrong guesses, not after five', async () => {
    for (const [to, wrong, code] of [
      ['four@example.com', 4, 1],
      ['five@example.com', 5, 2],
    ] as const) {
      await server.sendCode(to, 1);
      const right = server.codeOf(to);
      const guess = right === '111111' ? '222222' : '111111';
      for (let i = 0; i < wrong; i++) {
        expect((await server.register(to, { sms_code: guess })).msg).toBe(WRONG);
      }
      expect((await server.register(to, { sms_code: right })).code).toBe(code);
    }
  });

  it('allows no more guesses when they are simultaneous', async () => {
    const to = 'burst@example.com';
    await server.sendCode(to, 1);
    const right = server.codeOf(to);
    const guess = right === '111111' ? '222222' : '111111';
    await Promise.all(Array.from({ length: 10 }, () => server.register(to, { sms_code: guess })));
    expect((await server.register(to, { sms_code: right })).msg).toBe(WRONG);
  });

  it('belongs to its purpose and to its address', async () => {
    const { user } = await server.realUser();
    server.clock.pass(MINUTE);
    await server.sendCode('newcomer@example.com', 1);
    await server.sendCode(user.email, 2);
    const ofNewcomer = server.codeOf('newcomer@example.com');
    const ofUser = server.codeOf(user.email);
    expect((await server.forget(user.email, ofNewcomer)).msg).toBe(WRONG);
    expect((await server.forget('newcomer@example.com', ofNewcomer)).msg).toBe(WRONG);
    expect((await server.register('newcomer@example.com', { sms_code: ofUser })).msg).toBe(WRONG);
    expect((await server.forget(user.email, ofUser)).code).toBe(1);
    expect((await server.register('newcomer@example.com')).code).toBe(1);
  });

  it('resets a password only once', async () => {
    const { user } = await server.realUser();
    await server.sendCode(user.email, 2);
    const code = server.codeOf(user.email);
    const replies = await Promise.all([1, 2, 3].map(() => server.forget(user.email, code)));
    expect(replies.map((reply) => reply.code).sort()).toEqual([1, 2, 2]);
    expect((await server.forget(user.email, code)).msg).toBe(WRONG);
  });

  it('is sent to one address ten times a day, afterwards only with a captcha', async () => {
    const to = 'often@example.com';
    for (let i = 0; i < 10; i++) {
      expect((await server.sendCode(to, 1)).code).toBe(1);
      server.clock.pass(MINUTE);
    }
    const asked = await server.sendCode(to, 1);
    expect(asked).toMatchObject({
      status: 200,
      code: 428,
      msg: 'Please enter the characters in the picture',
    });
    const captcha = await readCaptcha(server);
    expect((await server.sendCode(to, 1, {}, captcha)).code).toBe(1);
    expect(server.lettersTo(to)).toHaveLength(11);
    expect((await server.register(to)).code).toBe(1);
    server.clock.pass(MINUTE);
    const used = await server.sendCode(to, 1, {}, captcha);
    expect(used).toMatchObject({ code: 428, msg: expect.stringMatching(/try a new picture/) });
    expect((await server.sendCode(to, 2)).code).toBe(1);
    server.clock.pass(24 * 60 * MINUTE);
    expect((await server.sendCode(to, 1)).code).toBe(1);
  });

  it('reaches its owner despite the requests of a stranger, the account being known or not', async () => {
    const known = (await server.realUser()).user.email;
    for (const to of [known, 'stranger@example.com']) {
      for (let i = 0; i < 10; i++) {
        server.clock.pass(MINUTE);
        expect((await server.sendCode(to, 2, from('203.0.113.50'))).code).toBe(1);
      }
      server.clock.pass(MINUTE);
      const owner = from('203.0.113.51');
      expect((await server.sendCode(to, 2, owner)).code).toBe(428);
      const captcha = await readCaptcha(server, owner);
      expect((await server.sendCode(to, 2, owner, captcha)).code).toBe(1);
      if (to === known) expect((await server.forget(to, server.codeOf(to))).code).toBe(1);
    }
  });

  describe('from one network', () => {
    const ask = (count: number, address: string, name: string) =>
      Promise.all(
        Array.from({ length: count }, (_, i) =>
          server.sendCode(`${name}${i}@example.com`, 1, from(address)),
        ),
      );

    it('is sent thirty times an hour, afterwards only with a captcha', async () => {
      const replies = await ask(31, '203.0.113.7', 'net');
      expect(replies.filter(({ code }) => code === 1)).toHaveLength(30);
      expect(replies.find(({ code }) => code !== 1)).toMatchObject({
        status: 200,
        code: 428,
        msg: 'Please enter the characters in the picture',
      });
      const captcha = await readCaptcha(server, from('203.0.113.7'));
      const verified = await server.sendCode('v@example.com', 1, from('203.0.113.7'), captcha);
      expect(verified.code).toBe(1);
      expect((await ask(1, '203.0.113.8', 'neighbour'))[0]?.code).toBe(1);
      server.clock.pass(60 * MINUTE);
      expect((await ask(1, '203.0.113.7', 'next'))[0]?.code).toBe(1);
    });

    it('counts 64 bits of an IPv6 address as one', async () => {
      await ask(30, '2001:db8:1:2::1', 'six');
      expect((await ask(1, '2001:db8:1:2:ffff::9', 'sixth'))[0]?.code).toBe(428);
      expect((await ask(1, '2001:db8:1:3::1', 'seventh'))[0]?.code).toBe(1);
    });
  });
});
