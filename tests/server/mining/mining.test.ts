import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toPercent, toUsd } from '#domain/core/units';
import { incomes, subscriptions } from '../../../server/db/schema';
import type { OfferedFund } from '../../../server/mining/catalogue';
import { createMining, type Mining } from '../../../server/mining/mining';
import { onEachDatabase } from '../support/database';
import { startBackend, type TestBackend, type TestUser } from '../support/testBackend';

const DAY = 86_400_000;

const fund = (id: number, lockDays: number, percent: string, damages: string): OfferedFund => ({
  id,
  key: 'year',
  currency: 'USDT',
  lockDays,
  dividendPercentage: toPercent(percent),
  minAmount: toUsd('100'),
  maxAmount: toUsd('5000'),
  liquidatedDamages: toPercent(damages),
});
const FUNDS = [fund(1, 365, '0.0325', '5'), fund(2, 3, '0.0137', '2.5')];

onEachDatabase((database) => {
  let backend: TestBackend;
  let mining: Mining;
  let user: TestUser;

  const start = async () => {
    await mining?.stop();
    await backend?.close();
    backend = await startBackend(database.db, (app, parts) => {
      mining = createMining({ ...parts, log: silent(), funds: FUNDS });
      mining.routes(app);
      parts.trading.onReset((work, userId) => mining.subscriptions.forfeit(work, userId));
    });
    user = await backend.user('10000');
  };
  beforeEach(start);
  afterAll(async () => {
    await mining.stop();
    await backend.close();
  });

  const buy = (id: number, amount: string, key?: string) =>
    user.get('/api/fund/buy', { id, amount }, key);
  const approve = (id: number) =>
    backend.transactions.run((work) => mining.redemptions.approve(work, id));

  it('lists funds without a login, newest first, and marks the last page', async () => {
    const answer = await fetch(`${backend.url}/api/fund/list`, { headers: { lang: 'en' } });
    const { data } = (await answer.json()) as { data: { data: { id: number }[] } };
    expect(data).toMatchObject({ current_page: 1, last_page: 1 });
    expect(data.data.map(({ id }) => id)).toEqual([2, 1]);
    expect((await user.get('/api/fund/info', { id: 1 })).data).toEqual({
      id: 1,
      title: expect.any(String),
      image: '',
      currency_code: 'USDT',
      lock_dividend_days: 365,
      dividend_percentage: '0.0325',
      staring_sub_amount: '100',
      max_sub_amount: '5000',
      desc: expect.any(String),
      liquidated_damages: '5',
    });
    expect((await user.get('/api/fund/info', { id: 9 })).code).toBe(2);
    expect((await user.get('/api/fund/list', { page: 2 })).data.data).toEqual([]);
  });

  it('takes the amount from the balance immediately', async () => {
    const bought = await buy(1, '1234.56');
    expect(bought).toMatchObject({
      code: 1,
      data: {
        status: 1,
        share_amount: '1234.56',
        sub_time: '2026-01-31T08:00:00.000Z',
        end_time: '',
        // 0.0325 % of 1234.56 = 0.401232
        day_profit: '0.4012',
        sum_profit: '146.4380',
        get_fund: { id: 1 },
      },
    });
    expect(await user.balance()).toEqual(['8765.440000', '0.000000']);
    const listed = (await user.get('/api/fund/subList')).data;
    expect(listed).toEqual({ data: [bought.data], current_page: 1, last_page: 1 });
    expect(await backend.audit()).toEqual([]);
  });

  it('pays a year exactly by domain.md#daily-profit, each day once, in runs of any length', async () => {
    const { data } = await buy(1, '1234.56');
    for (let days = 0, step = 1; days < 366; days += step, step = (step % 13) + 1) {
      backend.clock.pass(step * DAY);
      await mining.start();
    }
    // 10000 + 365 × 0.4012
    expect(await user.balance()).toEqual(['10146.438000', '0.000000']);
    const [finished] = (await user.get('/api/fund/subList')).data.data;
    expect(finished).toMatchObject({ id: data.id, status: 4, sum_profit: '146.4380' });
    const page = (await user.get('/api/fund/insList', { sub_id: data.id })).data;
    expect(page).toMatchObject({ current_page: 1, last_page: 19 });
    expect(page.data).toHaveLength(20);
    expect(page.data[0]).toMatchObject({
      interest: '0.4012',
      created_at: '2027-01-31T08:00:00.000Z',
    });
    expect(await backend.audit()).toEqual([]);
  });

  it('pays as much after a year without runs as a year of daily runs', async () => {
    const { data } = await buy(1, '1234.56');
    backend.clock.pass(400 * DAY);
    await mining.start();
    expect(await user.balance()).toEqual(['10146.438000', '0.000000']);
    const last = (await user.get('/api/fund/insList', { sub_id: data.id, page: 19 })).data;
    expect(last.data.at(-1).created_at).toBe('2026-02-01T08:00:00.000Z');
    const [finished] = (await user.get('/api/fund/subList')).data.data;
    expect(finished).toMatchObject({ status: 4, end_time: '2027-01-31T08:00:00.000Z' });
    const records = (await user.get('/v1/api/main/accountLog/forexChange')).data;
    // Deposit, subscription, 365 days, the amount back.
    expect(records.total).toBe(368);
    expect(records.list[0]).toMatchObject({ Value: '1234.560000', Type: 17 });
    expect(records.list[1]).toMatchObject({
      Value: '0.401200',
      Type: 16,
      MemoTran: `Profit of subscription ${data.id}, day 365 of 365`,
    });
    expect(await backend.audit()).toEqual([]);
  });

  it('pays by its own timer, not early', async () => {
    await mining.start();
    await buy(2, '333.33');
    const settled = async (paid: number) => {
      await expect.poll(async () => (await database.db.select().from(incomes)).length).toBe(paid);
      // It has paid, and waits for the next day.
      await mining.start();
    };
    backend.clock.pass(DAY - 1);
    await mining.start();
    expect((await user.balance())[0]).toBe('9666.670000');
    backend.clock.pass(1);
    await settled(1);
    backend.clock.pass(DAY);
    await settled(2);
    // 0.0137 % of 333.33 = 0.04566621
    await expect.poll(async () => (await user.balance())[0]).toBe('9666.761400');
  });

  it('pays a minute after a payment that failed', async () => {
    await buy(2, '333.33');
    await mining.stop();
    const errors: string[] = [];
    const log = { ...silent(), error: (text: string) => void errors.push(text) };
    mining = createMining({ ...backend, log, funds: FUNDS });
    backend.clock.pass(DAY);
    vi.spyOn(backend.transactions, 'run').mockRejectedValueOnce(new Error('No database'));
    await mining.start();
    expect(errors).toEqual([expect.stringContaining('No database')]);
    backend.clock.pass(60_000);
    await expect.poll(async () => (await user.balance())[0]).toBe('9666.715700');
  });

  it('keeps the terms of its day, whatever its fund offers since', async () => {
    const redeemed = (await buy(1, '333.33')).data;
    await buy(2, '333.33');
    await mining.stop();
    const funds = [fund(1, 10, '1', '50'), fund(2, 2, '2', '60')];
    mining = createMining({ ...backend, log: silent(), funds });
    await user.get('/api/fund/applyRefund', { sub_id: redeemed.id });
    await approve(redeemed.id);
    // 10000 − 333.33 − 16.67
    expect((await user.balance())[0]).toBe('9650.000000');
    backend.clock.pass(3 * DAY);
    await mining.start();
    // 9650 + 333.33 + 3 × 0.0457
    expect((await user.balance())[0]).toBe('9983.467100');
    expect(await backend.audit()).toEqual([]);
  });

  it('pays exactly once when several runs overlap', async () => {
    await buy(2, '333.33');
    backend.clock.pass(10 * DAY);
    await Promise.all(Array.from({ length: 5 }, () => mining.start()));
    expect(await user.balance()).toEqual(['10000.137100', '0.000000']);
    expect(await database.db.select().from(incomes)).toHaveLength(3);
    expect(await backend.audit()).toEqual([]);
  });

  it('pays many subscriptions independently', async () => {
    for (let n = 0; n < 60; n++) await buy(2, String(100 + n / 4));
    backend.clock.pass(2 * DAY + 5);
    await mining.start();
    expect(await database.db.select().from(incomes)).toHaveLength(120);
    const page = (await user.get('/api/fund/subList', { page: 3 })).data;
    expect(page).toMatchObject({ current_page: 3, last_page: 3 });
    expect(await backend.audit()).toEqual([]);
  });

  describe('redemption', () => {
    it('returns the amount less the penalty once it is approved', async () => {
      const { data } = await buy(1, '333.33');
      backend.clock.pass(2 * DAY);
      const asked = await user.get('/api/fund/applyRefund', { sub_id: data.id });
      expect(asked.data).toMatchObject({ id: data.id, status: 2 });
      // Two days were due and are paid: 0.0325 % of 333.33 = 0.10833225
      expect(await user.balance()).toEqual(['9666.886600', '0.000000']);
      // No profit accrues while it is under review.
      backend.clock.pass(5 * DAY);
      await mining.start();
      expect((await user.balance())[0]).toBe('9666.886600');

      await approve(data.id);
      // 333.33 − 16.67
      expect(await user.balance()).toEqual(['9983.546600', '0.000000']);
      const [refunded] = (await user.get('/api/fund/subList')).data.data;
      expect(refunded).toMatchObject({ status: 3, day_profit: '0.1083', sum_profit: '0.2166' });
      await expect(approve(data.id)).rejects.toThrow('notWaiting');
      backend.clock.pass(400 * DAY);
      await mining.start();
      expect((await user.balance())[0]).toBe('9983.546600');
      expect(await backend.audit()).toEqual([]);
    });

    it('is resumed after a rejection, and the missed profits are paid', async () => {
      const { data } = await buy(2, '333.33');
      await user.get('/api/fund/applyRefund', { sub_id: data.id });
      backend.clock.pass(2 * DAY);
      await mining.start();
      expect((await user.balance())[0]).toBe('9666.670000');
      await backend.transactions.run((work) =>
        mining.redemptions.reject(work, data.id, 'Too soon'),
      );
      const [running] = (await user.get('/api/fund/subList')).data.data;
      expect(running).toMatchObject({ status: 1, reason: 'Too soon' });
      expect((await user.balance())[0]).toBe('9666.761400');
      backend.clock.pass(DAY);
      await mining.start();
      expect((await user.balance())[0]).toBe('10000.137100');
      const [finished] = (await user.get('/api/fund/subList')).data.data;
      expect(finished.status).toBe(4);
      expect(await backend.audit()).toEqual([]);
    });

    it('after a rejection pays the next profit when it is due', async () => {
      const { data } = await buy(2, '333.33');
      backend.clock.pass(DAY - 600_000);
      await user.get('/api/fund/applyRefund', { sub_id: data.id });
      await mining.start();
      await backend.transactions.run((work) =>
        mining.redemptions.reject(work, data.id, 'Too soon'),
      );
      backend.clock.pass(600_000);
      await expect.poll(async () => (await user.balance())[0]).toBe('9666.715700');
    });

    it('is refused after the term, and a second time', async () => {
      const { data } = await buy(2, '333.33');
      await user.get('/api/fund/applyRefund', { sub_id: data.id });
      const again = await user.get('/api/fund/applyRefund', { sub_id: data.id });
      expect(again.msg).toBe('Only a running subscription can be redeemed');
      expect(await mining.redemptions.show(data.id, '')).toMatchObject({
        status: 'under review',
        amount: '333.33 USD',
        'end of term': '2026-02-03T08:00:00.000Z',
        paid: '0 of 3 days at 0.0457 USD',
        penalty: '8.33 USD',
      });
      const other = (await buy(2, '100')).data;
      backend.clock.pass(3 * DAY);
      const late = await user.get('/api/fund/applyRefund', { sub_id: other.id });
      expect(late.msg).toBe('Only a running subscription can be redeemed');
      expect((await mining.redemptions.show(data.id, ''))?.['penalty']).toBe('0 USD');
      expect((await mining.redemptions.pending()).map(({ id }) => id)).toEqual([data.id]);
    });

    it('that is approved after the term costs nothing, and the missed profits are paid', async () => {
      const { data } = await buy(2, '333.33');
      await user.get('/api/fund/applyRefund', { sub_id: data.id });
      backend.clock.pass(3 * DAY);
      await mining.start();
      await approve(data.id);
      // 10000 + 3 × 0.0457
      expect(await user.balance()).toEqual(['10000.137100', '0.000000']);
      const [finished] = (await user.get('/api/fund/subList')).data.data;
      expect(finished).toMatchObject({ status: 4, end_time: '2026-02-03T08:00:00.000Z' });
      await expect(approve(data.id)).rejects.toThrow('notWaiting');
      expect(await backend.audit()).toEqual([]);
    });

    it('is refused for a subscription of another user', async () => {
      const { data } = await buy(2, '333.33');
      const other = await backend.user('500');
      expect((await other.get('/api/fund/applyRefund', { sub_id: data.id })).code).toBe(2);
      expect((await other.get('/api/fund/insList', { sub_id: data.id })).code).toBe(2);
      expect((await other.get('/api/fund/subList')).data.data).toEqual([]);
    });
  });

  it.each([
    [{ id: 1, amount: '' }, 'Please enter the lock amount'],
    [{ id: 1, amount: '0' }, 'The amount must be above zero'],
    [{ id: 1, amount: '100.001' }, 'At most 2 decimals'],
    [{ id: 1, amount: '99' }, 'At least 100 USD'],
    [{ id: 1, amount: '5000.01' }, 'At most 5,000 USD'],
    [{ id: 9, amount: '100' }, 'There is no such fund'],
  ])('refuses %o', async (params, message) => {
    const answer = await user.get('/api/fund/buy', params);
    expect(answer).toMatchObject({ code: 2, msg: message });
    expect((await user.balance())[0]).toBe('10000.000000');
  });

  it('subscribes with no more than the free balance, once for one request', async () => {
    const key = randomUUID();
    const first = await buy(1, '5000', key);
    expect(await buy(1, '5000', key)).toEqual(first);
    const rest = await Promise.all(Array.from({ length: 20 }, () => buy(1, '5000', randomUUID())));
    expect(rest.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(await user.balance()).toEqual(['0.000000', '0.000000']);
    expect(await backend.audit()).toEqual([]);
  });

  it('is open to demo users, and a reset of the account ends it', async () => {
    await buy(1, '100');
    const demo = await backend.demo();
    const bought = await demo.get('/api/fund/buy', { id: 1, amount: '5000' });
    expect(bought.code).toBe(1);
    const { data } = await demo.get('/api/fund/buy', { id: 2, amount: '100' });
    await demo.get('/api/fund/applyRefund', { sub_id: data.id });
    expect(await demo.balance()).toEqual(['94900.000000', '0.000000']);
    await demo.get('/v1/api/main/user/resetForexDemoAccount');
    expect(await mining.redemptions.pending()).toEqual([]);
    await expect(approve(data.id)).rejects.toThrow('notWaiting');
    expect(await demo.balance()).toEqual(['100000.000000', '0.000000']);
    backend.clock.pass(400 * DAY);
    await mining.start();
    expect(await demo.balance()).toEqual(['100000.000000', '0.000000']);
    const all = await database.db.select().from(subscriptions).orderBy(subscriptions.id);
    expect(all.map(({ status }) => status)).toEqual(['finished', 'refunded', 'refunded']);
    expect(await backend.audit()).toEqual([]);
  });

  it('needs a login', async () => {
    for (const call of [
      'buy?id=1&amount=100',
      'subList',
      'insList?sub_id=1',
      'applyRefund?sub_id=1',
    ]) {
      const answer = await fetch(`${backend.url}/api/fund/${call}`);
      expect(await answer.json()).toMatchObject({ code: 999 });
    }
  });
});

const silent = () => ({ info() {}, warn() {}, error: (text: string) => expect.fail(text) });
