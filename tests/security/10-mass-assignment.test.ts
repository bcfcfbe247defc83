import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { users } from '../../server/db/schema';
import { emptyDatabase } from '../server/support/database';
import { as, TestServer } from '../server/support/testServer';
import { ask, endpoints, fieldsOf, validParams } from './calls';

/** Columns of users, orders and reviews, as somebody might guess that they are named. */
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

/** What a user is and has. */
async function stateOf({ token, user }: { token: string; user: { id: number } }) {
  const [record] = await database.db.select().from(users).where(eq(users.id, user.id));
  const { data: balance } = await server.get('/v1/api/main/wallet/getBalance', as(token));
  return { record, balance };
}

describe('columns beside the parameters', () => {
  // The upload has no parameters beside its file.
  const tried = endpoints.filter(([name]) => name !== 'uploadPicture');

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

  it('of a registration make no other user than it would', async () => {
    await server.sendCode('mass@example.com', 1);
    const { data } = await server.register('mass@example.com', COLUMNS);
    const { record, balance } = await stateOf(data);
    expect(record).toMatchObject({ isDemo: false, demoId: null, email: 'mass@example.com' });
    expect(record?.uid).toMatch(/^\d{9}$/);
    expect(balance).toEqual({ balance: '0.000000', lock_balance: '0.000000' });
  });
});
