import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { notItsTurn, SUITES } from '../../../helpers/samples';
import { emptyDatabase, onEachDatabaseUnless } from '../../support/database';
import { from, TestServer } from '../../support/testServer';

// The files of a process share their modules, which have imported the real one.
const drawn = vi.hoisted(() => {
  vi.resetModules();
  return { texts: [] as string[], blank: false };
});
afterAll(() => {
  vi.resetModules();
});
const BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
vi.mock('../../../../server/account/captcha/drawing', async (original) => {
  const real = await original<typeof import('../../../../server/account/captcha/drawing')>();
  return {
    drawing(text: string) {
      drawn.texts.push(text);
      return drawn.blank ? BLANK : real.drawing(text);
    },
  };
});

onEachDatabaseUnless(notItsTurn('captchas', SUITES), (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db, { args: ['--verify-reg-type', '2'] });
  });
  afterAll(() => server.close());

  const captcha = async () => {
    const { data } = await server.get('/api/common/captcha');
    return { key: data.id as string, b64s: data.b64s as string, text: drawn.texts.at(-1) ?? '' };
  };

  it('is a picture, a different one each time', async () => {
    const { key, b64s, text } = await captcha();
    expect(key).toMatch(/^[\w-]{22}$/);
    expect(text).toMatch(/^[2-9A-Z]{5}$/);
    const [head = '', body = ''] = b64s.split(',');
    expect(head).toBe('data:image/png;base64');
    const picture = sharp(Buffer.from(body, 'base64'));
    expect(await picture.metadata()).toMatchObject({ format: 'png', width: 480, height: 160 });
    // The picture is not blank.
    expect((await picture.stats()).entropy).toBeGreaterThan(0.5);
    expect((await captcha()).b64s).not.toBe(b64s);
  });

  it('registers without a sent code, in upper or lower case', async () => {
    const { key, text } = await captcha();
    const reply = await server.register('c1@example.com', {
      key,
      sms_code: ` ${text.toLowerCase()} `,
    });
    expect(reply.code).toBe(1);
  });

  it('is valid for one answer, right or wrong', async () => {
    const first = await captcha();
    const refused = await server.register('c2@example.com', { key: first.key, sms_code: 'WRONG' });
    expect(refused).toMatchObject({ code: 2, msg: expect.stringMatching(/try a new picture/) });
    const late = await server.register('c2@example.com', { key: first.key, sms_code: first.text });
    expect(late.msg).toBe(refused.msg);
    const { key, text } = await captcha();
    expect((await server.register('c2@example.com', { key, sms_code: text })).code).toBe(1);
    expect((await server.register('c3@example.com', { key, sms_code: text })).msg).toBe(
      refused.msg,
    );
  });

  it('is valid for ten minutes', async () => {
    const { key, text } = await captcha();
    server.clock.pass(10 * 60_000);
    const late = await server.register('c4@example.com', { key, sms_code: text });
    expect(late.msg).toMatch(/try a new picture/);
  });

  it.each(['', 'nonsense', '__proto__'])('refuses the id %j', async (key) => {
    const refused = await server.register('c5@example.com', { key, sms_code: 'ABCDE' });
    expect(refused.msg).toMatch(/try a new picture/);
  });

  it('registers an address once, however many registrations are simultaneous', async () => {
    const pictures = [await captcha(), await captcha(), await captcha()];
    const replies = await Promise.all(
      pictures.map(({ key, text }) => server.register('c6@example.com', { key, sms_code: text })),
    );
    expect(replies.map(({ code }) => code).sort()).toEqual([1, 2, 2]);
    const refused = replies.find(({ code }) => code === 2);
    expect(refused?.msg).toBe('There is already an account with this address');
  });

  it('does not replace the sent code of a forgotten password', async () => {
    await server.sendCode('c1@example.com', 2);
    expect((await server.forget('c1@example.com', server.codeOf('c1@example.com'))).code).toBe(1);
  });

  describe('from one network', () => {
    it('is drawn at most three hundred times an hour', async () => {
      drawn.blank = true;
      const ask = () => server.get('/api/common/captcha', from('192.0.2.44'));
      for (let i = 0; i < 300; i += 20) await Promise.all(Array.from({ length: 20 }, ask));
      expect((await ask()).code).toBe(429);
      drawn.blank = false;
    });
  });
});

describe('without the captcha', () => {
  it('the text of a captcha is no valid code', async () => {
    const database = await emptyDatabase();
    const server = await TestServer.open(database.db);
    const { data } = await server.get('/api/common/captcha');
    const reply = await server.register('c7@example.com', {
      key: data.id,
      sms_code: drawn.texts.at(-1) ?? '',
    });
    expect(reply.msg).toMatch(/verification code is wrong/);
    await server.close();
    await database.close();
  });
});
