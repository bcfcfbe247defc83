import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { users } from '../../../server/db/schema';
import { onEachDatabase } from '../support/database';
import { as, NEW_PASSWORD, PASSWORD, TestServer } from '../support/testServer';

const FR = 148;

onEachDatabase((database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(database.db);
    const { data } = await server.get('/api/default/area_list');
    expect(data.find(({ code }: { code: string }) => code === 'FR').id).toBe(FR);
  });
  afterAll(() => server.close());

  const register = (account: string, sms_code: string, mobile = account.replace(/^\+?../, '')) =>
    server.register('', { type: 'mobile', area_id: FR, account, mobile, sms_code });

  /** A user whose number is stored as it was before numbers had one form. */
  async function formerUser(number: string, stored: string) {
    await server.sendCode(number, 1);
    const { data } = await register(number, server.codeOf(number));
    await database.db.update(users).set({ mobile: stored }).where(eq(users.id, data.user.id));
    return data;
  }

  it.each([
    ['3333612345601', '33612345601'],
    ['+33 6 12 34 56 02', '33612345602'],
    ['330612345603', '33612345603'],
    ['٣٣٦١٢٣٤٥٦٠٤', '33612345604'],
  ])('a code for %s goes to %s, which registers it, once', async (given, number) => {
    expect((await server.sendCode(given, 1, {}, { area_id: FR })).code).toBe(1);
    expect(server.lettersTo(number)).toHaveLength(1);
    expect(server.lettersTo(given)).toEqual([]);
    const { code, data } = await register(given, server.codeOf(number));
    expect([code, data.user.mobile]).toEqual([1, number]);
    for (const account of [given, number]) expect((await server.login(account)).code).toBe(1);
    await server.sendCode(number, 1);
    const again = await register(number, server.codeOf(number));
    expect(again.code).toBe(2);
  });

  it('sends nothing to what can’t be a number', async () => {
    const given = '3361234';
    const refused = { code: 2, msg: 'This is not a phone number' };
    expect(await server.sendCode(given, 1, {}, { area_id: FR })).toMatchObject(refused);
    expect(await register(given, '123456')).toMatchObject(refused);
    expect(server.lettersTo(given)).toEqual([]);
  });

  it('an account that is stored in a former form logs in, and its codes go to the number', async () => {
    const [number, stored] = ['33612345605', '3333612345605'];
    const { token, user } = await formerUser(number, stored);
    for (const account of [number, stored]) {
      expect((await server.login(account)).data.user.id).toBe(user.id);
    }
    // Logged in, by the code that its owner asks for with the number that is shown.
    server.clock.pass(60_000);
    await server.sendCode(stored, 2);
    const changed = await server.post(
      '/api/user/amend_password',
      { new_password: NEW_PASSWORD, auth_code: server.codeOf(number), type: 'mobile' },
      as(token),
    );
    expect(changed.code).toBe(1);
    server.clock.pass(60_000);
    await server.sendCode(number, 2);
    expect((await server.forget(number, server.codeOf(number), PASSWORD)).code).toBe(1);
    expect((await server.login(number)).code).toBe(1);
    expect(server.lettersTo(stored)).toEqual([]);
  });

  it('the number of an account in a former form is taken', async () => {
    const number = '33612345606';
    await formerUser(number, `33${number}`);
    server.clock.pass(60_000);
    await server.sendCode(number, 1);
    const refused = await register(number, server.codeOf(number));
    expect(refused).toMatchObject({ code: 2 });
  });

  it('of two accounts, that with the number itself is logged in', async () => {
    const number = '33612345607';
    await formerUser(number, `33${number}`).then(() => server.clock.pass(60_000));
    const other = await server.realUser();
    await database.db.update(users).set({ mobile: number }).where(eq(users.id, other.user.id));
    expect((await server.login(number)).data.user.id).toBe(other.user.id);
  });
});
