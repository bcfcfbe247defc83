import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointFields } from '#domain/api/endpoint';
import { payoutMethods } from '../../server/db/schema';
import { desk } from '../server/desk/deskCommand';
import { emptyDatabase } from '../server/support/database';
import { as, TestServer } from '../server/support/testServer';
import { formOf, jpeg, upload } from '../server/uploads/pictures';
import { ask, fieldsOf, personal, validParams } from './calls';

/** What a field names: something of a user, or something that everybody sees. */
const NAMES: Readonly<Record<string, 'everybody' | Owned>> = {
  'submitOrder.forex_id': 'everybody',
  'closeOrder.id': 'order',
  'cancelOrder.id': 'order',
  'setStops.id': 'order',
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
  'submitVerification.card_id': 'everybody',
  'submitVerification.front_pic': 'picture',
  'submitVerification.reverse_pic': 'picture',
};
type Owned = 'order' | 'subscription' | 'picture' | 'method' | 'session';

/** Fields that name a row or a file. */
const NAMING = /(^|_)id$|_pic$|proofImg/;

let server: TestServer;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let alice: Awaited<ReturnType<TestServer['realUser']>>;
let bob: typeof alice;
/** Alice's. */
let owned: Record<Owned, string>;

beforeAll(async () => {
  database = await emptyDatabase();
  server = await TestServer.open(database.db, { args: ['--no-auto-review'] });
  alice = await server.realUser();
  bob = await server.realUser();
  for (const { uid } of [alice.user, bob.user]) {
    await desk(server.directory, ['credit', uid, '5000', 'test']);
  }
  await server.market.tick([1, 1.1]);
  const call = async (path: string) => (await server.get(path, as(alice.token))).data;
  const order = await call(
    '/v1/api/forex/submit?forex_id=1&type=1&status=1&cont=0.01&multiple=100',
  );
  const [fund] = (await call('/api/fund/list')).data;
  const subscription = await call(`/api/fund/buy?id=${fund.id}&amount=${fund.staring_sub_amount}`);
  const picture = await upload(server.url, alice.token, formOf(await jpeg(64, 40)));
  const [method] = await database.db
    .insert(payoutMethods)
    .values({
      ...{ userId: alice.user.id, kind: 'coin', currencyId: 1, bankName: '', bankAddress: '' },
      ...{ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', bankSwift: '', branchName: '' },
      ...{ payeeName: '', payeeAccount: '', remark: '', createdAt: new Date() },
    })
    .returning();
  owned = {
    order: String(order.Id),
    subscription: String(subscription.id),
    picture: picture.data.url,
    method: String(method?.id),
    session: String((await call('/api/user/sessions'))[0].id),
  };
});
afterAll(async () => {
  await server.close();
  await database.close();
});

/** What names nothing at all. */
const unknownOf = (kind: Owned) =>
  kind === 'picture' ? owned.picture.replace(/\/[\w-]+\?/, `/${'A'.repeat(22)}?`) : '999999';

const cases = personal.filter(([name]) => name !== 'uploadPicture');

describe.each(cases)('%s', (name, endpoint: EndpointFields) => {
  it("treats what is another user's as what does not exist", async () => {
    for (const [field] of fieldsOf(endpoint).filter(([each]) => NAMING.test(each))) {
      const kind = NAMES[`${name}.${field}`];
      // A new field has to be named above.
      expect([`${name}.${field}`, kind]).toEqual([`${name}.${field}`, expect.any(String)]);
      if (kind === undefined || kind === 'everybody') continue;
      const params = { ...validParams(endpoint), number: '50', amount: '100' };
      // Only the session of `id` is meant to end.
      if ('others' in params) params['others' as 'number'] = '0';
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
    }
  });
});

it('leaves everything as it was', async () => {
  const mine = async (path: string) => (await server.get(path, as(alice.token))).data;
  expect((await mine('/v1/api/forex/my_deal?status=1')).data).toMatchObject([
    { Id: Number(owned.order), TargetLossPrice: expect.stringMatching(/^0(\.0+)?$/) },
  ]);
  expect((await mine('/api/fund/subList')).data).toMatchObject([{ status: 1 }]);
  expect(await mine('/api/wallet/get_draw_method')).toHaveLength(1);
});

it('shows a picture to nobody else', async () => {
  const [path = ''] = owned.picture.replace(/^https?:\/\/[^/]+/, '').split('?');
  expect((await fetch(server.url + path, { headers: as(bob.token) })).status).toBe(404);
  expect((await fetch(server.url + path)).status).toBe(404);
  expect((await fetch(server.url + path, { headers: as(alice.token) })).status).toBe(200);
});
