import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notItsTurn, SUITES } from '../helpers/samples';
import { readCaptcha } from '../server/support/captchas';
import { onEachDatabaseUnless } from '../server/support/database';
import { from, PASSWORD, TestServer } from '../server/support/testServer';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const CAPTCHA = 'Please enter the characters in the picture';

onEachDatabaseUnless(notItsTurn('brute force', SUITES), (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  describe('the number of guesses without a captcha', () => {
    /** Guesses as often as the server allows for three hours; returns how many passwords were checked. */
    const guessFor = async (email: string, address: () => Record<string, string>) => {
      let checked = 0;
      for (let passed = 0; passed < 3 * HOUR; passed += 30 * SECOND) {
        const { code } = await server.login(email, 'wrong one', address());
        if (code === 2) checked++;
        // Asked for a captcha: nothing changes until an hour has passed without a failure.
        if (code === 428) {
          server.clock.pass(HOUR);
          passed += HOUR;
        } else server.clock.pass(30 * SECOND);
      }
      return checked;
    };

    it('is limited by the hour, from one network and from a thousand', async () => {
      const { user } = await server.realUser();
      expect(await guessFor(user.email, () => from('203.0.113.60'))).toBeLessThanOrEqual(3 * 11);
      server.clock.pass(HOUR);
      let i = 0;
      const many = () => from(`2001:db8:3:${(i++ % 1_000).toString(16)}::1`);
      expect(await guessFor(user.email, many)).toBeLessThanOrEqual(3 * 20);
    });
  });

  it('guesses of one network at many accounts wait, and those of another do not', async () => {
    const guess = (i: number, network: string) =>
      server.login(`user${i}@example.com`, 'wrong one', from(network));
    for (let i = 0; i < 30; i++) expect((await guess(i, '203.0.113.70')).code).toBe(2);
    expect((await guess(30, '203.0.113.70')).code).toBe(429);
    expect((await guess(30, '203.0.113.71')).code).toBe(2);
    server.clock.pass(SECOND);
    expect((await guess(30, '203.0.113.70')).code).toBe(2);
  });

  describe('a stranger', () => {
    it.each([
      ['known', true],
      ['unknown', false],
    ])('does not lock out the owner in another network, the account being %s', async (_, known) => {
      const email = known ? (await server.realUser()).user.email : 'noone@example.com';
      const right = known ? 1 : 2;
      // One wrong password each time the wait is over.
      for (let i = 0; i < 11; i++) {
        expect((await server.login(email, 'wrong one', from('203.0.113.1'))).code).toBe(2);
        expect((await server.login(email, PASSWORD, from('203.0.113.2'))).code).toBe(right);
        server.clock.pass(32 * SECOND);
        if (!known) break;
      }
    });

    it.each([
      ['known', true],
      ['unknown', false],
    ])(
      'in many networks only makes the owner enter a captcha, the account being %s',
      async (_, known) => {
        const email = known ? (await server.realUser()).user.email : 'nothere@example.com';
        const guess = (i: number) =>
          server.login(email, 'wrong one', from(`2001:db8:${known ? 1 : 2}:${i}::1`));
        for (let i = 0; i < 20; i++) expect((await guess(i)).code).toBe(2);
        expect(await guess(20)).toMatchObject({ code: 428, msg: CAPTCHA });
        const owner = from(known ? '203.0.113.9' : '203.0.113.10');
        expect((await server.login(email, PASSWORD, owner)).code).toBe(428);
        const captcha = await readCaptcha(server, owner);
        expect((await server.login(email, PASSWORD, owner, captcha)).code).toBe(known ? 1 : 2);
        // Guesses of others still need a captcha each.
        expect((await guess(21)).code).toBe(428);
      },
    );

    it('who fills the queue of logins does not lock the owner out', async () => {
      const { user } = await server.realUser();
      const shared = from('203.0.113.20');
      const captcha = await readCaptcha(server, shared);
      const crowd = Array.from({ length: 40 }, () => server.login(user.email, 'wrong', shared));
      expect((await server.login(user.email, PASSWORD, shared, captcha)).code).toBe(1);
      const codes = (await Promise.all(crowd)).map(({ code }) => code);
      // Twenty wait in the queue. Five guess, and five more once the owner's login has cleared the count.
      expect(codes).toContain(428);
      expect(codes.filter((code) => code === 2).length).toBeLessThanOrEqual(10);
    });

    it('is not suspected where the owner logs in from ten windows together', async () => {
      const { user } = await server.realUser();
      const shared = from('203.0.113.30');
      const windows = Array.from({ length: 10 }, () => server.login(user.email, PASSWORD, shared));
      expect((await Promise.all(windows)).map(({ code }) => code)).toEqual(Array(10).fill(1));
    });
  });
});
