import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { inTurn } from '../helpers/samples';
import { readCaptcha } from '../server/support/captchas';
import { emptyDatabase } from '../server/support/database';
import { as, NEW_PASSWORD, PASSWORD, TestServer } from '../server/support/testServer';

/** Nothing listens there: every delivery fails and is logged. */
const ENVIRONMENT = {
  SMTP_URL: 'smtp://mailer:smtp-secret@127.0.0.1:9',
  SMS_WEBHOOK_URL: 'http://127.0.0.1:9/?key=sms-secret',
  SMS_WEBHOOK_TOKEN: 'sms-token-secret',
  FULCRUM_SECRET: 'a secret of the server that has to be a long one',
};

let server: TestServer;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
const written: string[] = [];

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => {
      written.push(args.map(String).join(' '));
    });
  }
  database = await emptyDatabase();
  const args = ['--verify-reg-type', '2'];
  server = await TestServer.open(database.db, { args, environment: ENVIRONMENT });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
  await database.close();
});

inTurn(it)('the log contains no secrets, even if everything fails', async () => {
  const { captcha_id: key, captcha_text: sms_code } = await readCaptcha(server);
  const { data } = await server.register('log@example.com', { key, sms_code });
  const { token } = data;
  await server.login('log@example.com', 'a wrong password');
  await server.sendCode('log@example.com', 2);
  await server.forget('log@example.com', '123456');
  await server.get(`/api/user/info?authorization=${token}&token=${token}`, as(token));
  // A fault that quotes the value: the type of the column is changed.
  await database.db.execute(sql`delete from codes`);
  await database.db.execute(sql`alter table codes alter column address type integer using 0`);
  expect((await server.sendCode('value@example.com', 2)).status).toBe(500);
  // Faults: their tables are gone.
  for (const table of ['credentials', 'codes', 'sessions']) {
    await database.db.execute(sql.raw(`alter table ${table} rename to ${table}_gone`));
  }
  const faults = [
    await server.login('log@example.com', PASSWORD),
    await server.get(`/api/user/info?token=${token}`, as('A'.repeat(43))),
    await server.sendCode('other@example.com', 2),
    await server.forget('log@example.com', '654321'),
  ];
  expect(faults.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
  const another = await readCaptcha(server);
  const fault = await server.register('new@example.com', {
    key: another.captcha_id,
    sms_code: another.captcha_text,
    password: NEW_PASSWORD,
    re_password: NEW_PASSWORD,
  });
  expect(fault.status).toBe(500);

  const log = [...written, ...server.printed].join('\n');
  expect(log.match(/^(GET|POST) \/api\//gm)?.length).toBeGreaterThanOrEqual(5);
  for (const secret of [
    PASSWORD,
    NEW_PASSWORD,
    'a wrong password',
    token,
    'A'.repeat(43),
    '$argon2',
    sms_code,
    another.captcha_text,
    '654321',
    'smtp-secret',
    'sms-secret',
    'sms-token-secret',
    ENVIRONMENT.FULCRUM_SECRET,
    // The recipient of a code is not logged either.
    'log@example.com',
    'value@example.com',
  ]) {
    expect(log).not.toContain(secret);
  }
});
