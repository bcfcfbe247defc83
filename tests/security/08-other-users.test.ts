import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointFields } from '#domain/api/endpoint';
import { passkeys, payoutMethods } from '../../server/db/schema';
import { admin } from '../server/admin/adminCommand';
import { emptyDatabase } from '../server/support/database';
import { as, PASSWORD, TestServer } from '../server/support/testServer';
import { formOf, jpeg, upload } from '../server/uploads/pictures';
import { ask, fieldsOf, personal, validParams } from './calls';

/** What a field names: something of a user, or something that everybody sees. */
const NAMES: Readonly<Record<string, 'everybody' | Owned>> = {
  'submitOrder.forex_id': 'everybody',
  'closeOrder.id': 'order',
  'cancelOrder.id': 'order',
  'setExits.id': 'order',
  'amendOrder.id': 'order',
  // A device's own, kept for each user apart: tests/server/syncedSettings.
  'saveSettings.id': 'everybody',
  'addAlert.forex_id': 'everybody',
  'deleteAlert.id': 'alert',
  'buyFund.id': 'everybody',
  'incomeList.sub_id': 'subscription',
  'redeemSubscription.sub_id': 'subscription',
  'submitCoinDeposit.charge_id': 'everybody',
  'submitCoinDeposit.proofImg': 'picture',
  'submitBankDeposit.wire_id': 'everybody',
  'submitBankDeposit.proofImg': 'picture',
  'submitWithdrawal.draw_currency_id': 'everybody',
  'submitWithdrawal.draw_method_id': 'method',
  'payoutMethods.draw_id': 'everybody',
  'addPayoutMethod.draw_id': 'everybody',
  'deletePayoutMethod.id': 'method',
  'endSession.id': 'session',
  'deletePasskey.id': 'passkey',
  'submitVerification.card_id': 'everybody',
  'submitVerification.front_pic': 'picture',
  'submitVerification.reverse_pic': 'picture',
};
type Owned = 'order' | 'alert' | 'subscription' | 'picture' | 'method' | 'session' | 'passkey';

/** The refusal of a call that names another user's thing: nothing else about the call is wrong. */
const UNKNOWN: Readonly<Record<Owned, RegExp>> = {
  order: /^There is no such order$/,
  alert: /^There is no such alert$/,
  subscription: /^There is no such subscription$/,
  picture: /^Please upload the picture again$/,
  method: /^There is no such address or account$|^Please select an address to call$/,
  session: /^This device is not logged in any more$/,
  passkey: /^This passkey does not exist any more$/,
};

/** Fields that name a row or a file. */
const NAMING = /(^|_)id$|_pic$|proofImg/;

let server: TestServer;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let alice: Awaited<ReturnType<TestServer['realUser']>>;
let bob: typeof alice;
/** Alice's. */
let owned: Record<Owned, string>;
/** The address of the first network, which is everybody's. */
let network: string;

beforeAll(async () => {
  database = await emptyDatabase();
  server = await TestServer.open(database.db, {
    // A code is checked before what it is for.
    args: ['--no-auto-review', '--no-draw-verify'],
  });
  alice = await server.realUser();
  bob = await server.realUser();
  for (const { uid } of [alice.user, bob.user]) {
    await admin(server.directory, ['credit', uid, '5000', 'test', '--confirm']);
  }
  await server.market.tick([1, 1.1]);
  const call = async (path: string) => (await server.get(path, as(alice.token))).data;
  const submit = '/v1/api/forex/submit?forex_id=1&type=1&status=1&cont=0.01&multiple=100';
  const order = await call(submit);
  await call(`/v1/api/forex/close?id=${(await call(submit)).Id}`);
  const [fund] = (await call('/api/fund/list')).data;
  const subscription = await call(`/api/fund/buy?id=${fund.id}&amount=${fund.staring_sub_amount}`);
  const picture = await upload(server.url, alice.token, formOf(await jpeg(64, 40)));
  // Bob has one too: without one the refusal would be another.
  const [method] = await database.db
    .insert(payoutMethods)
    .values(
      [alice, bob].map(({ user }) => ({
        ...{ userId: user.id, kind: 'coin' as const, currencyId: 1, bankName: '', bankAddress: '' },
        ...{ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', bankSwift: '', branchName: '' },
        ...{ payeeName: '', payeeAccount: '', remark: '', createdAt: new Date(server.clock.now()) },
      })),
    )
    .returning();
  const [passkey] = await database.db
    .insert(passkeys)
    .values({
      ...{ userId: alice.user.id, credentialId: 'AAAA', publicKey: 'AAAA', counter: 0, name: '' },
      ...{ transports: [], createdAt: new Date(server.clock.now()) },
    })
    .returning();
  network = (await call('/api/quickCharge/symbols'))[0].address;
  owned = {
    order: String(order.Id),
    alert: String((await call('/v1/api/forex/alert_add?forex_id=1&price=2')).Id),
    subscription: String(subscription.id),
    picture: picture.data.url,
    method: String(method?.id),
    session: String((await call('/api/user/sessions'))[0].id),
    passkey: String(passkey?.id),
  };
});
afterAll(async () => {
  await server.close();
  await database.close();
});

/** Values that name nothing at all. */
const unknownOf = (kind: Owned) =>
  kind === 'picture' ? owned.picture.replace(/\/[\w-]+\?/, `/${'A'.repeat(22)}?`) : '999999';

const cases = personal.filter(([name]) => name !== 'uploadPicture');

describe.each(cases)('%s', (name, endpoint: EndpointFields) => {
  it("answers for another user's things as for things that do not exist", async () => {
    for (const [field] of fieldsOf(endpoint).filter(([each]) => NAMING.test(each))) {
      const kind = NAMES[`${name}.${field}`];
      // A new field has to be named above.
      expect([`${name}.${field}`, kind]).toEqual([`${name}.${field}`, expect.any(String)]);
      if (kind === undefined || kind === 'everybody') continue;
      const params = {
        ...validParams(endpoint),
        ...{ number: '50', amount: '100', address: network, name: 'Bob', card_id: 'X1234567' },
      };
      // Only the session of `id` is meant to end.
      if ('others' in params) params['others' as 'number'] = '0';
      if (kind === 'passkey') params['password' as 'number'] = PASSWORD;
      // A second picture, so that only this one is wrong.
      const mine = await upload(server.url, bob.token, formOf(await jpeg(64, 41)));
      for (const other of ['front_pic', 'reverse_pic', 'proofImg']) {
        if (other in params) params[other as 'number'] = mine.data.url;
      }
      const ofAlice = await ask(
        server,
        endpoint,
        { ...params, [field]: owned[kind] },
        as(bob.token),
      );
      const ofNobody = await ask(
        server,
        endpoint,
        { ...params, [field]: unknownOf(kind) },
        as(bob.token),
      );
      expect([ofAlice.code, ofAlice.msg, ofAlice.data]).toEqual([
        ofNobody.code,
        ofNobody.msg,
        ofNobody.data,
      ]);
      expect(ofNobody.msg).toMatch(UNKNOWN[kind]);
    }
  });
});

it('changes nothing', async () => {
  const mine = async (path: string) => (await server.get(path, as(alice.token))).data;
  expect((await mine('/v1/api/forex/my_deal?status=1')).data).toMatchObject([
    { Id: Number(owned.order), TargetLossPrice: expect.stringMatching(/^0(\.0+)?$/) },
  ]);
  expect((await mine('/api/fund/subList')).data).toMatchObject([{ status: 1 }]);
  expect(await mine('/api/wallet/get_draw_method')).toHaveLength(1);
});

it('lists nothing to anybody else', async () => {
  const send = async (path: string, params: Record<string, string>) =>
    (await server.form(path, params, as(alice.token))).code;
  const draw = { draw_currency_id: '1', draw_method_id: owned.method, number: '50', memo: '' };
  expect(await send('/api/account/draw', draw)).toBe(1);
  const charge = { charge_id: '1', number: '50', address: network, proofImg: owned.picture };
  const query = new URLSearchParams(charge);
  const { code } = await server.get(`/api/quickCharge/submit?${query}`, as(alice.token));
  expect(code).toBe(1);
  for (const path of [
    '/v1/api/forex/my_deal?status=1',
    '/v1/api/forex/my_deal?status=3',
    '/v1/api/forex/alert_list',
    '/api/fund/subList',
    '/api/quickCharge/quick_ist?type=0',
    '/api/account/draw_list?type=1',
  ]) {
    const countOf = async (token: string) => (await server.get(path, as(token))).data.data.length;
    expect([path, await countOf(alice.token)]).toEqual([path, 1]);
    expect([path, await countOf(bob.token)]).toEqual([path, 0]);
  }
  const idsOf = async (path: string, token: string): Promise<number[]> =>
    (await server.get(path, as(token))).data.map(({ id }: { id: number }) => id);
  for (const [path, id] of [
    ['/api/wallet/get_draw_method', owned.method],
    ['/api/user/sessions', owned.session],
  ] as const) {
    expect([path, await idsOf(path, alice.token)]).toEqual([path, [Number(id)]]);
    expect([path, await idsOf(path, bob.token)]).not.toContain(Number(id));
  }
  const { data } = await server.get('/v1/api/main/accountLog/forexChange', as(bob.token));
  expect(data.list).toHaveLength(1);
});

it('shows a picture to its owner only', async () => {
  const [path = ''] = owned.picture.replace(/^https?:\/\/[^/]+/, '').split('?');
  expect((await fetch(server.url + path, { headers: as(bob.token) })).status).toBe(404);
  expect((await fetch(server.url + path)).status).toBe(404);
  expect((await fetch(server.url + path, { headers: as(alice.token) })).status).toBe(200);
});
