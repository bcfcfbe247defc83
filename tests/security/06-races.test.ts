import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payoutMethods } from '../../server/db/schema';
import { createMining, type Mining } from '../../server/mining/mining';
import { createWallet, type Wallet } from '../../server/wallet/wallet';
import { onEachDatabase } from '../server/support/database';
import { startBackend, type TestBackend, type TestUser } from '../server/support/testBackend';

const RUNNERS = 100;
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const silent = { info() {}, warn() {}, error() {} };

/** Runs a hundred of them simultaneously; each has a key of its own, or none. */
function race<T>(run: (key: string | undefined) => Promise<T>): Promise<T[]> {
  return Promise.all(
    Array.from({ length: RUNNERS }, (_, i) => run(i % 2 ? randomUUID() : undefined)),
  );
}

/** The others find nothing that waits for them. */
function expectOneDecision(decisions: PromiseSettledResult<void>[]): void {
  const refused = decisions.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused.map(({ key }) => key)).toEqual(Array(RUNNERS - 1).fill('server.notWaiting'));
}

onEachDatabase((database) => {
  let backend: TestBackend;
  let wallet: Wallet;
  let mining: Mining;
  let user: TestUser;
  beforeAll(async () => {
    backend = await startBackend(database.db, (app, parts) => {
      wallet = createWallet(parts);
      wallet.routes(app);
      mining = createMining({ ...parts, log: silent });
      mining.routes(app);
    });
    user = await backend.user('1000');
  });
  afterAll(async () => {
    await mining.stop();
    await backend.close();
  });

  const granted = <T extends { code: number }>(answers: T[]): T[] =>
    answers.filter(({ code }) => code === 1);

  describe('a hundred simultaneous calls', () => {
    it('withdraw the whole balance once', async () => {
      const [method] = await database.db
        .insert(payoutMethods)
        .values({
          ...{ userId: user.id, kind: 'coin', currencyId: 1, address: TRON, bankName: '' },
          ...{ bankAddress: '', bankSwift: '', branchName: '', payeeName: '', payeeAccount: '' },
          ...{ remark: '', createdAt: new Date(backend.now()) },
        })
        .returning();
      const params = {
        draw_currency_id: 1,
        number: '1000',
        memo: '',
        draw_method_id: method?.id ?? 0,
      };
      const answers = await race((key) => user.post('/api/account/draw', params, key));
      expect(granted(answers)).toHaveLength(1);
      expect(await user.balance()).toEqual(['0.000000', '1000.000000']);
      // And as many decide on it.
      const { id } = granted(answers)[0]?.data ?? {};
      const { reviews } = wallet.withdrawals;
      const decisions = await Promise.allSettled(
        Array.from({ length: RUNNERS }, (_, i) =>
          backend.transactions.run((work) =>
            i % 2 ? reviews.approve(work, id) : reviews.reject(work, id, 'no'),
          ),
        ),
      );
      expectOneDecision(decisions);
      expect(await backend.audit()).toEqual([]);
    });

    it('close an order once', async () => {
      const trader = await backend.demo();
      await backend.market.tick([1, 1.1]);
      const order = { forex_id: 1, type: 1, status: 1, cont: '0.1', multiple: 100 };
      const { data } = await trader.get('/v1/api/forex/submit', order);
      await backend.market.tick([1, 1.2]);
      const answers = await race((key) => trader.get('/v1/api/forex/close', { id: data.Id }, key));
      expect(granted(answers)).toHaveLength(1);
      expect((await trader.balance())[1]).toBe('0.000000');
      expect(await backend.audit()).toEqual([]);
    });

    it('close parts of an order within its lots', async () => {
      const trader = await backend.demo();
      await backend.market.tick([1, 1.1]);
      const order = { forex_id: 1, type: 1, status: 1, cont: '0.1', multiple: 100 };
      const { data } = await trader.get('/v1/api/forex/submit', order);
      const part = { id: data.Id, cont: '0.03' };
      const answers = await race((key) => trader.get('/v1/api/forex/close', part, key));
      expect(granted(answers).map(({ data }) => data.Quantity)).toEqual(['0.07', '0.04', '0.01']);
      const { data: closed } = await trader.get('/v1/api/forex/my_deal', { status: 3 });
      expect(closed.total).toBe(3);
      expect(await backend.audit()).toEqual([]);
    });

    it('redeem a subscription once, and are paid once', async () => {
      const saver = await backend.user('5000');
      const { data: funds } = await saver.get('/api/fund/list');
      const [{ id, staring_sub_amount: amount }] = funds.data;
      const bought = await saver.get('/api/fund/buy', { id, amount });
      const sub_id = bought.data.id;
      const answers = await race((key) => saver.get('/api/fund/applyRefund', { sub_id }, key));
      expect(granted(answers)).toHaveLength(1);
      const decisions = await Promise.allSettled(
        Array.from({ length: RUNNERS }, () =>
          backend.transactions.run((work) => mining.redemptions.approve(work, sub_id)),
        ),
      );
      expectOneDecision(decisions);
      const { data } = await saver.get('/v1/api/main/accountLog/forexChange');
      expect(data.list.filter(({ Type }: { Type: number }) => Type === 18)).toHaveLength(1);
      expect(await backend.audit()).toEqual([]);
    });

    it('with one key are executed once', async () => {
      const saver = await backend.user('5000');
      const { data: funds } = await saver.get('/api/fund/list');
      const [{ id, staring_sub_amount: amount }] = funds.data;
      const key = randomUUID();
      const answers = await race(() => saver.get('/api/fund/buy', { id, amount }, key));
      expect(new Set(granted(answers).map(({ data }) => data.id)).size).toBe(1);
      expect(answers.every(({ code }) => code === 1 || code === 409)).toBe(true);
      expect((await saver.get('/api/fund/subList')).data.data).toHaveLength(1);
    });
  });
});
