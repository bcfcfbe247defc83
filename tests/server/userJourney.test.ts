import { randomUUID } from 'node:crypto';
import { count, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sessions } from '../../server/account/sessions';
import { insertUser } from '../../server/account/users';
import { CommandLog } from '../../server/commands/commandLog';
import { traders, users } from '../../server/db/schema';
import { audit } from '../../server/ledger/audit';
import { Ledger } from '../../server/ledger/ledger';
import { admin } from './admin/adminCommand';
import { onEachDatabase } from './support/database';
import { expectReplayed } from './support/replayed';
import { work } from './support/tables';
import { as, TestServer } from './support/testServer';

const EMAIL = 'ada@example.com';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

onEachDatabase((database) => {
  let server: TestServer;
  let authorization: string;

  beforeAll(async () => {
    server = await TestServer.open(database.db);
    const now = () => server.clock.now();
    const ledger = new Ledger(now, undefined, new CommandLog(1, now));
    authorization = await work(database.db, async (job) => {
      const user = await insertUser(job, {
        isDemo: false,
        email: EMAIL,
        createdAt: new Date(now()),
      });
      await ledger.open(job.tx, user.id);
      const device = { device: '', language: 'en' } as const;
      return new Sessions(database.db, now).open(job, user.id, device);
    });
  });
  afterAll(() => server.close());

  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization, lang: 'en', 'idempotency-key': randomUUID() };
    const answer = await fetch(`${server.url}${path}`, { ...init, headers });
    expect(answer.status).toBe(200);
    const { code, data, msg } = (await answer.json()) as {
      code: number;
      msg: string;
      // biome-ignore lint/suspicious/noExplicitAny: what comes is what is tested
      data: any;
    };
    expect([path, code, msg]).toEqual([path, 1, code === 1 ? msg : '']);
    return data;
  };
  const form = (params: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams(params),
  });
  const balance = async () => (await ask('/v1/api/main/wallet/getBalance')).balance;
  /** Waits until the sandbox has reviewed what was submitted. */
  const reviewed = (expected: string) =>
    expect
      .poll(
        async () => {
          server.clock.pass(31_000);
          return balance();
        },
        { timeout: 20_000 },
      )
      .toBe(expected);

  it('completes a deposit with an uploaded proof, a subscription, its redemption and a withdrawal', async () => {
    const upload = new FormData();
    const color = { r: 1, g: 2, b: 3 };
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
      .png()
      .toBuffer();
    upload.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'proof.png');
    const { url } = await ask('/api/common/image_upload', { method: 'POST', body: upload });
    const proof = encodeURIComponent(url);
    await ask(
      `/api/quickCharge/submit?number=1000&charge_id=1&address=TSandboxDoNotSendRea1CoinsHere1111&proofImg=${proof}`,
    );
    await reviewed('1000.000000');

    const { data: funds } = await ask('/api/fund/list');
    const bought = await ask(`/api/fund/buy?id=${funds.at(-1).id}&amount=1000`);
    expect(await balance()).toBe('0.000000');
    await ask(`/api/fund/applyRefund?sub_id=${bought.id}`);
    // 5 % penalty.
    await reviewed('950.000000');

    const coded = async (path: string, payout: Record<string, string>) => {
      const sending = { to: '', area_id: 0, type: 3, ...payout };
      expect(await server.post('/api/notify/send_email', sending, { authorization })).toMatchObject(
        { code: 1 },
      );
      return ask(path, form({ type: '1', ...payout, sms_code: server.codeOf(EMAIL) }));
    };
    const { id } = await coded('/api/wallet/bind_draw_method', { draw_id: '1', dc_address: TRON });
    const draw = { draw_currency_id: '1', number: '950', draw_method_id: String(id) };
    await coded('/api/account/draw', draw);
    await reviewed('0.000000');
    await expect
      .poll(async () => {
        server.clock.pass(31_000);
        return (await ask('/api/account/draw_list?type=1')).data[0].status_name;
      })
      .toBe('Paid');
    expect((await ask('/v1/api/main/wallet/getBalance')).lock_balance).toBe('0.000000');
    expect(await audit(database.db)).toEqual([]);
    await expectReplayed(database);
  });

  it('reads news, companies and traders, none of which can log in', async () => {
    expect((await ask('/api/news/list?category_id=1')).total).toBe(12);
    expect(await ask('/api/company/getCompany?name=lion')).toHaveLength(1);
    expect((await ask('/api/follow/list')).total).toBe(12);
    const [row] = await database.db
      .select({ demo: count() })
      .from(traders)
      .innerJoin(users, eq(users.id, traders.userId))
      .where(eq(users.isDemo, true));
    expect(row?.demo).toBe(12);
  });
});

onEachDatabase((database) => {
  it('spends what open losses leave, and no cent more', async () => {
    const server = await TestServer.open(database.db, { args: ['--no-draw-verify'] });
    const { token, user } = await server.realUser();
    const get = (path: string) => server.get(path, as(token));
    const form = (path: string, params: Record<string, string | number>) =>
      server.form(path, params, as(token));
    const operator = (...words: string[]) => admin(server.directory, [...words, '--confirm']);
    await operator('credit', user.uid, '1000', 'test');
    const method = { draw_id: 1, type: 1, dc_address: TRON };
    const { id } = (await form('/api/wallet/bind_draw_method', method)).data;
    await server.market.tick([1, 1.1]);
    await get('/v1/api/forex/submit?forex_id=1&type=1&status=1&cont=0.1&multiple=100');
    await server.market.tick([1, 1.099]);
    // 1000 − 110 margin − 0.30 fee − 10 open loss
    const msg = 'Insufficient funds: 879.71 USD needed, 879.70 USD available';
    const withdrawal = { draw_currency_id: 1, number: '879.71', draw_method_id: id };
    expect(await form('/api/account/draw', withdrawal)).toMatchObject({ code: 2, msg });
    expect(await get('/api/fund/buy?id=7&amount=879.71')).toMatchObject({ code: 2, msg });
    expect((await operator('debit', user.uid, '879.71', 'test')).out).toBe(msg);
    expect((await get('/api/fund/buy?id=7&amount=879.70')).code).toBe(1);
    expect(await audit(database.db)).toEqual([]);
    await server.close();
  });
});
