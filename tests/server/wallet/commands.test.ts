import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BadCommand } from '../../../server/admin/commands';
import { users } from '../../../server/db/schema';
import { createWallet, type Wallet } from '../../../server/wallet/wallet';
import { onEachDatabase } from '../support/database';
import { startBackend, type TestBackend, type TestUser } from '../support/testBackend';

onEachDatabase((database) => {
  let backend: TestBackend;
  let wallet: Wallet;
  let user: TestUser;
  let uid: string;

  beforeAll(async () => {
    backend = await startBackend(database.db, (app, parts) => {
      wallet = createWallet(parts);
      wallet.routes(app);
    });
    user = await backend.user('100');
    const closed = { uid: '1', isDemo: false, createdAt: new Date(0), closedAt: new Date(0) };
    await database.db.insert(users).values(closed);
    const [row] = await database.db.select().from(users).where(eq(users.id, user.id));
    uid = row?.uid ?? '';
  });
  afterAll(() => backend.close());

  const run = (line: string, confirmed = true): Promise<string> => {
    const [name, ...args] = line.split(' ');
    const command = wallet.commands.find((each) => each.name === name);
    if (!command) throw new Error(`no command ${name}`);
    return command.run({ name: 'test', confirmed }, args, new AbortController().signal);
  };

  it('increases and decreases a balance, with a reason', async () => {
    expect(await run(`credit ${uid} 12.5 Refund of a fee`)).toBe(
      `user ${uid}: 12.5 USD added. available: 100 USD before, 112.5 USD after.`,
    );
    expect(await run(`debit ${uid} 2.5 Paid twice`)).toBe(
      `user ${uid}: 2.5 USD taken. available: 112.5 USD before, 110 USD after.`,
    );
    expect(await user.balance()).toEqual(['110.000000', '0.000000']);
    const { list } = (await user.get('/v1/api/main/accountLog/forexChange')).data;
    expect(list).toMatchObject([
      { Type: 10, Value: '-2.500000', Memo: 'Paid twice' },
      { Type: 10, Value: '12.500000', Memo: 'Refund of a fee' },
      { Type: 11, Value: '100.000000' },
    ]);
    expect(await backend.audit()).toEqual([]);
  });

  it('marks a deposit as invalid', async () => {
    const proofImg = await backend.picture(user.id);
    const { data } = await user.get('/api/quickCharge/submit', {
      number: 5,
      address: 'TSandboxDoNotSendRea1CoinsHere1111',
      charge_id: 1,
      proofImg,
    });
    expect(await run(`invalid ${data.id} Forged`)).toBe(`deposit ${data.id}: invalid.`);
    const { data: listed } = (await user.get('/api/quickCharge/quick_ist')).data;
    expect(listed[0]).toMatchObject({ status: 3, remark: 'Forged' });
    await expect(run(`invalid ${data.id} Forged`)).rejects.toThrow(BadCommand);
  });

  it.each([
    ['credit', 'This needs a user, an amount in USD and a reason.'],
    ['debit UID', 'This needs a user'],
    ['credit UID -5 Why', 'is no amount'],
    ['credit UID 0.0000001 Why', 'is no amount'],
    ['credit 2 5 Why', 'There is no user 2.'],
    ['credit 1 5 Why', 'User 1 is closed.'],
    ['debit 1 5 Why', 'User 1 is closed.'],
    ['credit UID 5', 'needs an amount and a reason'],
    ['debit UID 1000 Too much', 'Insufficient funds'],
    ['invalid x', 'x is no number.'],
    ['invalid', 'needs the number of a deposit'],
    ['invalid 2147483647 Why', 'already decided'],
    ['invalid 2147483648 Why', '2147483648 is no number.'],
    ['invalid 1', 'needs a reason'],
  ])('refuses %s', async (line, message) => {
    const before = await user.balance();
    await expect(run(line.replace('UID', uid))).rejects.toThrow(message);
    expect(await user.balance()).toEqual(before);
  });
});
