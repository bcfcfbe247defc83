import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { notItsTurn, SUITES } from '../helpers/samples';
import { onEachDatabaseUnless } from '../server/support/database';
import { type Reply, TestServer } from '../server/support/testServer';

/** Counts runs of Argon2id, which take nearly all the time here. */
// The files of a process share their modules, which have imported the real one.
const work = vi.hoisted(() => {
  vi.resetModules();
  return { done: 0 };
});
afterAll(() => {
  vi.resetModules();
});
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return {
    ...real,
    hash: (...args: Parameters<typeof real.hash>) => {
      work.done++;
      return real.hash(...args);
    },
    verify: (...args: Parameters<typeof real.verify>) => {
      work.done++;
      return real.verify(...args);
    },
  };
});

onEachDatabaseUnless(notItsTurn('enumeration', SUITES), (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  const calls: [name: string, ask: (account: string) => Promise<Reply>, runs: number][] = [
    ['loginForU with a wrong password', (account) => server.login(account, 'wrong one'), 1],
    ['send_email to register', (account) => server.sendCode(account, 1), 0],
    ['send_email to register, again', (account) => server.sendCode(account, 1), 0],
    ['send_email to reset', (account) => server.sendCode(account, 2), 0],
    ['send_email to reset, again', (account) => server.sendCode(account, 2), 0],
    ['register with a wrong code', (account) => server.register(account, { sms_code: 'x' }), 1],
    ['forget_password with a wrong code', (account) => server.forget(account, 'x'), 1],
    ['forget_password, guessed out', (account) => server.forget(account, 'x'), 1],
  ];

  describe('known and unknown accounts', () => {
    let known: string;
    beforeAll(async () => {
      ({
        user: { email: known },
      } = await server.realUser());
      server.clock.pass(60_000);
    });

    it.each(calls)(
      'get the same answer from %s after the same computation',
      async (_, ask, runs) => {
        const seen: [reply: Reply, work: number][] = [];
        for (const account of [known, 'nobody@example.com']) {
          const before = work.done;
          const reply = await ask(account);
          seen.push([reply, work.done - before]);
        }
        expect(seen[0]).toEqual(seen[1]);
        expect(seen[0]?.[1]).toBe(runs);
      },
    );
  });

  it('differ only in the mail that is sent', async () => {
    const { user } = await server.realUser();
    const unknown = 'noone@example.com';
    server.clock.pass(60_000);
    for (const type of [1, 2] as const) {
      await server.sendCode(user.email, type);
      await server.sendCode(unknown, type);
    }
    const [, taken, reset] = server.lettersTo(user.email).map((letter) => letter.split(': ')[1]);
    expect(taken).toMatch(/already an account/);
    expect(taken).not.toMatch(/\d{6}/);
    expect(reset).toMatch(/\d{6} is your verification code/);
    expect(server.lettersTo(unknown)).toHaveLength(1);
  });

  it('cannot be registered again with a code from before', async () => {
    const { user } = await server.realUser();
    const sms_code = server.codeOf(user.email);
    server.clock.pass(60_000);
    await server.sendCode(user.email, 1);
    expect((await server.register(user.email, { sms_code })).msg).toMatch(/wrong or has expired/);
  });
});
