import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictures } from '../../../server/db/schema';
import { SANDBOX } from '../../../server/wallet/catalogue';
import { onEachDatabase, type TestDatabase } from '../support/database';
import { PATIENT } from '../support/patient';
import { as, TestServer } from '../support/testServer';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const OTHER = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';
const WRONG = 'The verification code is wrong or has expired';
const MINUTE = 60_000;

type Params = Record<string, string | number>;

/** A user with money, and what they ask of the server. */
async function person(server: TestServer, { db }: TestDatabase) {
  const { token, user } = await server.realUser();
  const headers = as(token);
  const self = {
    email: user.email,
    token,
    send: (params: Params, lang = 'en') =>
      server.post(
        '/api/notify/send_email',
        { to: '', area_id: 0, type: 3, ...params },
        { ...headers, lang },
      ),
    code: () => server.codeOf(user.email),
    letter: () => server.lettersTo(user.email).at(-1) ?? '',
    bind: (params: Params, key = '') =>
      server.form(
        '/api/wallet/bind_draw_method',
        { draw_id: 1, type: 1, ...params },
        { ...headers, ...(key && { 'idempotency-key': key }) },
      ),
    draw: (params: Params, key = '') =>
      server.form('/api/account/draw', params, {
        ...headers,
        ...(key && { 'idempotency-key': key }),
      }),
    methods: async () => (await server.get('/api/wallet/get_draw_method', headers)).data,
    balance: async () => (await server.get('/v1/api/main/wallet/getBalance', headers)).data.balance,
    /** Saves a payout method by its code, and returns its id. */
    async bound(dc_address = TRON): Promise<number> {
      server.clock.pass(MINUTE);
      expect((await self.send({ draw_id: 1, dc_address })).code).toBe(1);
      const { data } = await self.bind({ dc_address, sms_code: self.code() });
      return data.id;
    },
  };
  // The sandbox approves a deposit after thirty seconds.
  const id = randomBytes(16).toString('base64url');
  await db.insert(pictures).values({ id, ownerId: user.id, createdAt: new Date() });
  const address = SANDBOX.networks[0]?.address ?? '';
  const proofImg = `/api/common/image/${id}`;
  const deposit = new URLSearchParams({ number: '1000', charge_id: '1', address, proofImg });
  await server.get(`/api/quickCharge/submit?${deposit}`, headers);
  await expect
    .poll(() => {
      server.clock.pass(31_000);
      return self.balance();
    }, PATIENT)
    .toBe('1000.000000');
  return self;
}

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
  });
  afterAll(() => server.close());

  it('are required, and the settings say so', async () => {
    expect((await server.get('/api/basicSet/getBasicInfo')).data.draw_verify).toBe(1);
    const ann = await person(server, database);
    expect(await ann.bind({ dc_address: TRON })).toMatchObject({
      code: 2,
      msg: 'Please enter the verification code',
    });
    expect((await ann.bind({ dc_address: TRON, sms_code: '123456' })).msg).toBe(WRONG);
    expect(await ann.methods()).toEqual([]);
    expect((await ann.draw({ draw_currency_id: 1, number: 100, draw_method_id: 1 })).msg).toBe(
      'Please enter the verification code',
    );
  });

  it("go to the account's own address, with amount and destination in the user's language", async () => {
    const ann = await person(server, database);
    const stranger = 'stranger@example.com';
    expect(await ann.send({ to: stranger, draw_id: 1, dc_address: TRON })).toMatchObject({
      code: 1,
      msg: 'The code is on its way. It is valid for 10 minutes',
      data: { expires_in: 600, retry_after: 60 },
    });
    expect(server.lettersTo(stranger)).toEqual([]);
    expect(ann.letter()).toContain(`is the code for the new payout address ${TRON}`);
    const id = (await ann.bind({ dc_address: TRON, sms_code: ann.code() })).data.id;
    expect(ann.letter()).toContain(`A new payout address was saved in your account: ${TRON}`);

    const draw = { draw_currency_id: 1, number: '250.5', memo: 'rent', draw_method_id: id };
    await ann.send(draw, 'spa');
    expect(ann.letter()).toContain(`es el código para retirar 250,50 USD a ${TRON}`);
    expect((await ann.draw({ ...draw, sms_code: ann.code() })).code).toBe(1);
    expect(ann.letter()).toContain(`A withdrawal of 250.50 USD to ${TRON} was requested`);
    expect(await ann.balance()).toBe('749.500000');
  });

  it('are valid once, for exactly the parameters that they were sent for', async () => {
    const ann = await person(server, database);
    const [tron, other] = [await ann.bound(), await ann.bound(OTHER)];
    const draw = { draw_currency_id: 1, number: '100', memo: 'rent', draw_method_id: tron };
    await ann.send(draw);
    const sms_code = ann.code();
    for (const changed of [
      { number: '100.01' },
      { draw_method_id: other },
      { memo: 'else' },
      { draw_currency_id: 2 },
    ]) {
      const refused = await ann.draw({ ...draw, ...changed, sms_code });
      expect([changed, refused.code, refused.msg]).toEqual([changed, 2, WRONG]);
    }
    // The same number, written differently.
    expect((await ann.draw({ ...draw, number: '100.00', sms_code })).code).toBe(1);
    expect((await ann.draw({ ...draw, sms_code })).msg).toBe(WRONG);
    expect(await ann.balance()).toBe('900.000000');
  });

  it('stay valid if the payout itself is refused, and allow five guesses whatever is refused', async () => {
    const ann = await person(server, database);
    const tron = await ann.bound();
    const draw = { draw_currency_id: 1, number: '1000', memo: '', draw_method_id: tron };
    await ann.send(draw);
    const sms_code = ann.code();
    const wrong = sms_code === '111111' ? '222222' : '111111';
    for (let n = 0; n < 4; n++) await ann.draw({ ...draw, sms_code: wrong });
    expect((await ann.draw({ ...draw, sms_code })).code).toBe(1);

    server.clock.pass(MINUTE);
    const bind = { draw_id: 1, dc_address: OTHER };
    await ann.send(bind);
    const right = ann.code();
    await Promise.all(
      Array.from({ length: 20 }, () => ann.bind({ dc_address: OTHER, sms_code: wrong })),
    );
    expect((await ann.bind({ dc_address: OTHER, sms_code: right })).msg).toBe(WRONG);
    expect(await ann.methods()).toHaveLength(1);
  });

  it('give a repeated call the first answer', async () => {
    const ann = await person(server, database);
    const key = '3f1a3c1e-2a64-4c59-9a55-0f6f1f1b7b0b';
    await ann.send({ draw_id: 1, dc_address: TRON });
    const call = { dc_address: TRON, sms_code: ann.code() };
    const first = await ann.bind(call, key);
    expect(first.code).toBe(1);
    expect(await ann.bind(call, key)).toEqual(first);
    expect(await ann.methods()).toHaveLength(1);
  });

  it('are sent once a minute each, to logged-in users only, and not for a payout that would be refused', async () => {
    const ann = await person(server, database);
    const bind = { draw_id: 1, dc_address: TRON };
    const id = await ann.bound();
    expect((await ann.send(bind)).msg).toBe('You have saved this address or account already');
    expect((await ann.send({ draw_id: 1, dc_address: 'zzz' })).msg).toBe(
      'This is not an address of TRC20',
    );
    expect((await ann.send({ draw_id: 99, dc_address: TRON })).msg).toBe(
      'Please choose a currency',
    );
    const draw = { draw_currency_id: 1, number: '100', draw_method_id: id };
    expect((await ann.send({ ...draw, number: '5000' })).msg).toMatch(/^Insufficient funds/);
    expect((await ann.send({ ...draw, draw_method_id: 9_999 })).code).toBe(2);
    expect((await ann.send(draw)).code).toBe(1);
    expect((await ann.send({ ...draw, number: '200' })).msg).toMatch(/^Please wait 60 s/);
    server.clock.pass(MINUTE);
    expect((await ann.send(draw)).code).toBe(1);

    const sending = { to: ann.email, area_id: 0, type: 3, ...draw };
    expect((await server.post('/api/notify/send_email', sending)).code).toBe(999);
    const demo = await server.demoUser();
    expect((await server.post('/api/notify/send_email', sending, as(demo.token))).msg).toBe(
      'Please register or log in to a real account',
    );
    expect((await server.post('/api/notify/send_sms', sending, as(ann.token))).msg).toBe(
      'Your account has no such address',
    );
  });

  it('are refused from another user', async () => {
    const [ann, bob] = [await person(server, database), await person(server, database)];
    await ann.send({ draw_id: 1, dc_address: TRON });
    expect((await bob.bind({ dc_address: TRON, sms_code: ann.code() })).msg).toBe(WRONG);
    server.clock.pass(10 * MINUTE);
    expect((await ann.bind({ dc_address: TRON, sms_code: ann.code() })).msg).toBe(WRONG);
  });

  describe('by options', () => {
    it('are not required, and not sent', async () => {
      const plain = await TestServer.open(database.db, {
        args: ['--no-draw-verify'],
        clock: server.clock,
      });
      const ann = await person(plain, database);
      expect((await plain.get('/api/basicSet/getBasicInfo')).data.draw_verify).toBe(0);
      expect((await ann.bind({ dc_address: TRON })).code).toBe(1);
      expect((await ann.send({ draw_id: 1, dc_address: OTHER })).code).toBe(400);
      await plain.close();
    });

    it('a new payout method has a waiting time, whose end is shown', async () => {
      const patient = await TestServer.open(database.db, {
        args: ['--no-draw-verify', '--payout-wait', '24'],
        clock: server.clock,
      });
      const ann = await person(patient, database);
      const { data } = await ann.bind({ dc_address: TRON });
      const usable = new Date(patient.clock.now() + 24 * 60 * MINUTE).toISOString();
      expect((await ann.methods())[0]).toMatchObject({ usable_at: usable });
      const draw = { draw_currency_id: 1, number: '100', draw_method_id: data.id };
      expect((await ann.draw(draw)).msg).toBe(
        'New payout method: withdrawals to it are possible in 24 h',
      );
      patient.clock.pass(24 * 60 * MINUTE - 1);
      expect((await ann.draw(draw)).msg).toBe(
        'New payout method: withdrawals to it are possible in 1 h',
      );
      patient.clock.pass(1);
      expect((await ann.draw(draw)).code).toBe(1);
      expect((await ann.methods())[0].usable_at).toBe('');
      await patient.close();
    });
  });
});
