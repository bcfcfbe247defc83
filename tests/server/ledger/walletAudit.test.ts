import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../../../server/ledger/audit';
import { createMining, type Mining } from '../../../server/mining/mining';
import { createWallet, type Wallet } from '../../../server/wallet/wallet';
import { onEachDatabase } from '../support/database';
import { startBackend, type TestBackend } from '../support/testBackend';

onEachDatabase((database) => {
  let backend: TestBackend;
  let wallet: Wallet;
  let mining: Mining;

  beforeAll(async () => {
    backend = await startBackend(database.db, (app, parts) => {
      wallet = createWallet(parts);
      wallet.routes(app);
      mining = createMining({ ...parts, log: console });
      mining.routes(app);
    });
    const user = await backend.user('10000');
    const proofImg = await backend.picture(user.id);
    const address = 'TSandboxDoNotSendRea1CoinsHere1111';
    const charge = { number: '50', proofImg, address, charge_id: 1 };
    const deposit = (await user.get('/api/quickCharge/submit', charge)).data.id;
    await backend.transactions.run((work) => wallet.deposits.reviews.approve(work, deposit));
    const bind = { draw_id: 1, type: 1, dc_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    const method = (await user.post('/api/wallet/bind_draw_method', bind)).data.id;
    for (let n = 0; n < 3; n++) {
      const draw = { draw_currency_id: 1, number: '100', draw_method_id: method };
      const { id } = (await user.post('/api/account/draw', draw)).data;
      if (n === 0)
        await backend.transactions.run((work) => wallet.withdrawals.reviews.approve(work, id));
      if (n === 1)
        await backend.transactions.run((work) => wallet.withdrawals.reviews.reject(work, id, ''));
    }
    await user.get('/api/fund/buy', { id: 1, amount: 1000 });
    backend.clock.pass(3 * 86_400_000);
    await mining.start();
  });
  afterAll(async () => {
    await mining.stop();
    await backend.close();
  });

  it('finds nothing wrong after calls and admin commands', async () => {
    expect(await backend.audit()).toEqual([]);
  });

  it.each([
    ['update deposits set credited = 51', 'a deposit was credited once'],
    ["update withdrawals set status = 'finished' where id = 3", 'frozen withdrawals'],
    [
      "update withdrawals set status = 'reviewing' where id = 2",
      'a withdrawal took its amount once',
    ],
    ['update subscriptions set amount = 999', 'the funds hold what is subscribed'],
    ['update subscriptions set paid_days = 4', 'a subscription was paid its days'],
    ['delete from incomes where day = 2', 'a subscription was paid its days'],
  ])('finds %s', async (change, check) => {
    const undone = new Error('undone');
    const tampering = database.db.transaction(async (tx) => {
      await tx.execute(sql.raw(change));
      const found = await audit(tx);
      expect(found.map((difference) => difference.check).join('; ')).toContain(check);
      throw undone;
    });
    await expect(tampering).rejects.toBe(undone);
  });
});
