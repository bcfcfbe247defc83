import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { users } from '../../server/db/schema';
import { read } from '../../server/http/route';
import { emptyDatabase } from '../server/support/database';
import { as, TestServer } from '../server/support/testServer';
import { ask, declaredOf, endpoints, fieldsOf, validBody, validParams } from './calls';

/** Guessed names of columns of users, orders and reviews. */
const COLUMNS = {
  ...{ is_demo: '0', isDemo: '0', uid: '1', user_id: '1', userId: '1', owner: '1', role: 'admin' },
  ...{
    status: 'finished',
    review_status: '2',
    verified: '1',
    credited: '1000',
    balance: '1000000',
  },
  ...{
    lock_balance: '0',
    fee: '0',
    margin: '0',
    profit: '1000000',
    created_at: '1',
    session_id: '1',
  },
  ...{
    invited_by: '1',
    password_hash: 'x',
    demo_id: 'x',
    caller: '1',
    expires_at: '9999999999999',
  },
};

/** Their patterns say too little of these. */
const REPORT = {
  release: '0123456789ab',
  screen: '/trade',
  name: 'TypeError',
  stack: 'page:1:1',
};

let server: TestServer;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  database = await emptyDatabase();
  server = await TestServer.open(database.db);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

/** The row and the balance of a user. */
async function stateOf({ token, user }: { token: string; user: { id: number } }) {
  const [record] = await database.db.select().from(users).where(eq(users.id, user.id));
  const { data: balance } = await server.get('/v1/api/main/wallet/getBalance', as(token));
  return { record, balance };
}

describe('columns beside the parameters', () => {
  // The upload has no parameters beside its file.
  const tried = endpoints.filter(([name]) => name !== 'uploadPicture');

  it.each(tried)('reach no handler of %s', (name, endpoint) => {
    const { params } = declaredOf(endpoint);
    const given = { ...validBody(endpoint), ...(name === 'clientError' && REPORT) };
    const got = read(params, { ...COLUMNS, ...given, nested: { isDemo: true, balance: '1' } });
    const known = fieldsOf(endpoint).map(([name]) => name);
    expect(Object.keys(got).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(tried)('of %s change nothing', async (_name, endpoint) => {
    const [victim, caller] = [await server.realUser(), await server.realUser()];
    const before = [await stateOf(victim), await stateOf(caller)];
    const known = fieldsOf(endpoint).map(([name]) => name);
    const more = Object.entries(COLUMNS).filter(([name]) => !known.includes(name));
    const foreign = more.map(([name, value]): [string, string] =>
      /user|owner/.test(name) ? [name, String(victim.user.id)] : [name, value],
    );
    const params = { ...validParams(endpoint), ...Object.fromEntries(foreign) };
    const answer = await ask(server, endpoint, params, as(caller.token));
    expect(answer.status).toBe(200);
    const session = endpoint.path.endsWith('/logout')
      ? await server.login(caller.user.email)
      : null;
    const token = session?.data.token ?? caller.token;
    const after = [await stateOf(victim), await stateOf({ ...caller, token })];
    expect(after).toEqual(before);
  });

  it('of a registration do not change the user that it creates', async () => {
    await server.sendCode('mass@example.com', 1);
    const demo = { is_demo: '1', isDemo: '1', demo_id: randomUUID(), demoId: randomUUID() };
    const { data } = await server.register('mass@example.com', { ...COLUMNS, ...demo });
    const { record, balance } = await stateOf(data);
    expect(record).toMatchObject({ isDemo: false, demoId: null, email: 'mass@example.com' });
    expect(record?.uid).toMatch(/^\d{9}$/);
    expect(balance).toEqual({ balance: '0.000000', lock_balance: '0.000000' });
  });

  it('of a demo account change neither its kind nor its balance', async () => {
    const more = new URLSearchParams({ ...COLUMNS, demo_id: randomUUID() });
    const { data } = await server.get(`/api/user/createAccountDemoForU?${more}`);
    const { record, balance } = await stateOf(data);
    expect(record).toMatchObject({ isDemo: true, email: '' });
    expect(record?.uid).toMatch(/^\d{9}$/);
    expect(balance).toEqual((await stateOf(await server.demoUser())).balance);
  });

  it('of an order do not change it', async () => {
    await server.market.tick([1, 1.1]);
    const order = {
      ...{ forex_id: '1', type: '1', status: '0', cont: '0.01', multiple: '100' },
      ...{ target_price: '1.05', stop_loss_price: '1', target_profit_price: '1.2' },
    };
    const place = async (more: Record<string, string>) => {
      const caller = await server.demoUser();
      const query = new URLSearchParams({ ...more, ...order });
      const placed = await server.get(`/v1/api/forex/submit?${query}`, as(caller.token));
      expect(placed.code).toBe(1);
      const { Id: _id, ...row } = placed.data;
      return { row, balance: (await stateOf(caller)).balance };
    };
    const columns = {
      ...{ price: '0.5', origin_price: '0.5', OriginPrice: '0.5', FactProfits: '1000000' },
      ...{ CautionMoney: '0', TradeFee: '0', Quantity: '100', Status: '3', close_reason: 'manual' },
    };
    expect(await place({ ...COLUMNS, ...columns })).toEqual(await place({}));
  });
});
