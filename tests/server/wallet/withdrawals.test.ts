import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createWallet, type Wallet } from '../../../server/wallet/wallet';
import { usd } from '../../domain/support/instruments';
import { onEachDatabase } from '../support/database';
import {
  type Envelope,
  startBackend,
  type TestBackend,
  type TestUser,
} from '../support/testBackend';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ETHER = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const BANK = {
  bank_name: 'Harbor Bank',
  bank_address: 'Quay 1',
  bank_swift: 'HARBHKHH',
  payee_name: 'Ada Example',
  payee_account: '123-456',
};

onEachDatabase((database) => {
  let backend: TestBackend;
  let wallet: Wallet;
  let user: TestUser;

  beforeEach(async () => {
    await backend?.close();
    backend = await startBackend(database.db, (app, parts) => {
      wallet = createWallet(parts);
      wallet.routes(app);
    });
    user = await backend.user('1000');
  });
  afterAll(() => backend.close());

  const bind = async (of = user): Promise<number> => {
    const params = { draw_id: 1, type: 1, dc_address: TRON };
    return (await of.post('/api/wallet/bind_draw_method', params)).data.id;
  };
  const draw = (
    method: number,
    changes: Record<string, string | number> = {},
    key?: string,
  ): Promise<Envelope> => {
    const params = { draw_currency_id: 1, number: '100', memo: 'rent', draw_method_id: method };
    return user.post('/api/account/draw', { ...params, ...changes }, key);
  };

  it('offers currencies of each kind with their fees', async () => {
    const coins = (await user.get('/api/account/draw_symbol_list', { type: 1 })).data;
    expect(coins[0]).toEqual({
      id: 1,
      code: 'USDT',
      protocol: 'TRC20',
      draw_rate: '1',
      fee_type: 1,
      usd_price: '1',
    });
    const banks = (await user.get('/api/account/draw_symbol_list', { type: 2 })).data;
    expect(banks[1]).toMatchObject({ code: 'EUR', draw_rate: '0.005', fee_type: 2 });
  });

  it('freezes the amount until it is paid out', async () => {
    const submitted = await draw(await bind());
    expect(submitted.code).toBe(1);
    expect(submitted.msg).not.toBe('');
    expect(await user.balance()).toEqual(['900.000000', '100.000000']);
    const { id } = submitted.data;
    expect((await user.get('/api/account/draw_list', { type: 1 })).data).toEqual({
      data: [
        {
          id,
          number: '100.00',
          real_number: '99.00',
          draw_currency: { id: 1, code: 'USDT', protocol: 'TRC20' },
          fee: '1.00',
          status_name: 'Under review',
          created_at: '2026-01-31T08:00:00.000Z',
          type: 1,
          address: TRON,
          payee_account: '',
          notes: 'rent',
        },
      ],
      total: 1,
    });
    await backend.transactions.run((work) => wallet.withdrawals.reviews.approve(work, id));
    expect(await user.balance()).toEqual(['900.000000', '0.000000']);
    const { data } = (await user.get('/api/account/draw_list')).data;
    expect(data[0].status_name).toBe('Paid');
    const again = backend.transactions.run((work) =>
      wallet.withdrawals.reviews.reject(work, id, ''),
    );
    await expect(again).rejects.toThrow('notWaiting');
    expect(await backend.audit()).toEqual([]);
  });

  it('returns a rejected amount, with the reason', async () => {
    const { data } = await draw(await bind());
    await backend.transactions.run((work) =>
      wallet.withdrawals.reviews.reject(work, data.id, 'Name differs'),
    );
    expect(await user.balance()).toEqual(['1000.000000', '0.000000']);
    const list = (await user.get('/api/account/draw_list')).data;
    expect(list.data[0]).toMatchObject({ status_name: 'Rejected', notes: 'Name differs' });
    const records = (await user.get('/v1/api/main/accountLog/forexChange')).data.list;
    expect(records.map((row: { Value: string; Type: number }) => [row.Value, row.Type])).toEqual([
      ['100.000000', 13],
      ['-100.000000', 12],
      ['1000.000000', 11],
    ]);
    expect(await backend.audit()).toEqual([]);
  });

  it('pays a bank in its own currency, with a fee in percent', async () => {
    const bound = await user.post('/api/wallet/bind_draw_method', { draw_id: 5, type: 2, ...BANK });
    const answer = await draw(bound.data.id, { draw_currency_id: 5, number: '123.45' });
    expect(answer.code).toBe(1);
    const { data } = (await user.get('/api/account/draw_list', { type: 2 })).data;
    // Fee 0.61725 → 0.62; (123.45 − 0.62) × 0.9223 = 113.286109
    expect(data[0]).toMatchObject({
      fee: '0.62',
      real_number: '113.29',
      type: 2,
      payee_account: '123-456',
      address: '',
    });
  });

  it('grants one of a hundred simultaneous withdrawals of the whole balance', async () => {
    const method = await bind();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => draw(method, { number: '1000' }, randomUUID())),
    );
    const won = answers.filter(({ code }) => code === 1);
    expect(won).toHaveLength(1);
    const reasons = new Set(answers.filter(({ code }) => code !== 1).map(({ msg }) => msg));
    expect([...reasons]).toEqual(['Insufficient funds: 1,000.00 USD needed, 0.00 USD available']);
    expect(await user.balance()).toEqual(['0.000000', '1000.000000']);
    expect((await user.get('/api/account/draw_list')).data.total).toBe(1);
    expect(await backend.audit()).toEqual([]);
  });

  it('books one withdrawal for one key, however often it is sent', async () => {
    const method = await bind();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => draw(method, {}, key)));
    const done = answers.filter(({ code }) => code === 1);
    expect(new Set(done.map(({ data }) => data.id)).size).toBe(1);
    expect(answers.every(({ code }) => code === 1 || code === 409)).toBe(true);
    expect(await user.balance()).toEqual(['900.000000', '100.000000']);
  });

  it('takes at most the free balance while an order has a loss', async () => {
    const method = await bind();
    await backend.market.tick([1, 1.1]);
    const order = await user.get('/v1/api/forex/submit', {
      type: 1,
      cont: '0.1',
      forex_id: 1,
      status: 1,
      multiple: 100,
    });
    expect(order.code).toBe(1);
    await backend.market.tick([1, 1.09]);
    // 1000 − margin 110 − fee 0.3 − floating loss 100
    expect((await draw(method, { number: '789.71' })).msg).toContain('789.70 USD available');
    expect((await draw(method, { number: '789.70' })).code).toBe(1);
    expect(await backend.audit()).toEqual([]);
  });

  it.each([
    [{ draw_currency_id: 0 }, 'Please choose a currency'],
    [{ draw_method_id: 99 }, 'Please select an address to call'],
    [{ draw_currency_id: 2 }, 'Please set up a collection account first'],
    [{ number: '' }, 'Please enter the amount'],
    [{ number: '-5' }, 'The amount must be above zero'],
    [{ number: '10.001' }, 'At most 2 decimals'],
    [{ number: '9.99' }, 'At least 10 USD'],
    [{ number: '1000.01' }, 'Insufficient funds'],
  ])('refuses %o', async (changes, message) => {
    const answer = await draw(await bind(), changes);
    expect(answer).toMatchObject({ code: 2, msg: expect.stringContaining(message), data: null });
    expect(await user.balance()).toEqual(['1000.000000', '0.000000']);
  });

  it('refuses an amount that the fee consumes', async () => {
    const bound = await user.post('/api/wallet/bind_draw_method', { draw_id: 4, type: 2, ...BANK });
    const answer = await draw(bound.data.id, { draw_currency_id: 4, number: '25' });
    expect(answer.msg).toBe('The fee of 25 USD leaves nothing to pay out');
    expect((await draw(bound.data.id, { draw_currency_id: 4, number: '25.01' })).code).toBe(1);
  });

  it("refuses another user's method", async () => {
    const other = await backend.user('50');
    const theirs = await bind(other);
    await bind();
    expect((await draw(theirs)).msg).toBe('Please select an address to call');
  });

  describe('payout methods', () => {
    it('are saved, listed by kind and currency, deleted', async () => {
      const coin = await bind();
      const params = { draw_id: 5, type: 2, ...BANK, branch_name: 'North', remark: ' mine ' };
      const bank = (await user.post('/api/wallet/bind_draw_method', params)).data.id;
      const list = (params = {}) => user.get('/api/wallet/get_draw_method', params);
      expect((await list()).data.map(({ id }: { id: number }) => id)).toEqual([bank, coin]);
      expect((await list({ draw_type: 0, draw_id: 0 })).data).toHaveLength(2);
      expect((await list({ draw_type: 2 })).data).toEqual([
        {
          id: bank,
          draw_type: 2,
          dc_address: '',
          ...BANK,
          branch_name: 'North',
          remark: 'mine',
          draw_currency: { id: 5, code: 'EUR', protocol: '' },
          usable_at: '',
        },
      ]);
      expect((await list({ draw_type: 1, draw_id: 1 })).data).toHaveLength(1);
      expect((await list({ draw_type: 1, draw_id: 2 })).data).toEqual([]);

      const deleted = await user.post('/api/wallet/del_draw_method', { id: coin });
      expect(deleted).toMatchObject({ code: 1, data: null, msg: 'Deleted' });
      expect((await user.post('/api/wallet/del_draw_method', { id: coin })).code).toBe(2);
      const other = await backend.user();
      expect((await other.post('/api/wallet/del_draw_method', { id: bank })).code).toBe(2);
      expect((await list()).data).toHaveLength(1);
    });

    it('may be deleted while a withdrawal to them is under review', async () => {
      const method = await bind();
      const { data } = await draw(method);
      await user.post('/api/wallet/del_draw_method', { id: method });
      await backend.transactions.run((work) => wallet.withdrawals.reviews.approve(work, data.id));
      const list = (await user.get('/api/account/draw_list')).data;
      expect(list.data[0]).toMatchObject({ address: TRON, status_name: 'Paid' });
    });

    it.each([
      [{ draw_id: 1, type: 1 }, 'Please enter the address'],
      [{ draw_id: 9, type: 1, dc_address: TRON }, 'Please choose a currency'],
      [{ draw_id: 5, type: 1, dc_address: TRON }, 'Please choose a currency'],
      [{ draw_id: 2, type: 1, dc_address: TRON }, 'This is not an address of ERC20'],
      [{ draw_id: 1, type: 1, dc_address: `${TRON.slice(0, -1)}u` }, 'its checksum is wrong'],
      [{ draw_id: 5, type: 2, ...BANK, payee_name: ' ' }, 'Please complete'],
      [{ draw_id: 5, type: 2, ...BANK, payee_name: 'x'.repeat(201) }, 'At most 200 characters'],
    ])('are refused with %o', async (params, message) => {
      const answer = await user.post('/api/wallet/bind_draw_method', params);
      expect(answer).toMatchObject({ code: 2, msg: expect.stringContaining(message) });
    });

    it('are not saved twice', async () => {
      await bind();
      const params = { draw_id: 1, type: 1, dc_address: ` ${TRON} ` };
      const again = await user.post('/api/wallet/bind_draw_method', params);
      expect(again.msg).toBe('You have saved this address or account already');
    });

    it('are one where addresses differ by their case alone, which says nothing in hexadecimal', async () => {
      const add = (draw_id: number, dc_address: string) =>
        user.post('/api/wallet/bind_draw_method', { draw_id, type: 1, dc_address });
      const known = { msg: 'You have saved this address or account already' };
      expect(await add(2, ETHER)).toMatchObject({ code: 1 });
      expect(await add(2, ETHER.toLowerCase())).toMatchObject(known);
      expect(await add(3, ETHER.toLowerCase())).toMatchObject({ code: 1 });
      expect(await add(3, ETHER)).toMatchObject(known);
      const { data } = await user.get('/api/wallet/get_draw_method');
      expect(data.map((row: { dc_address: string }) => row.dc_address)).toEqual([
        ETHER.toLowerCase(),
        ETHER,
      ]);
    });
  });

  it('shows the operator the payout method', async () => {
    const { data } = await draw(await bind());
    const [waiting] = await wallet.withdrawals.reviews.pending();
    expect(waiting).toMatchObject({ id: data.id, since: backend.clock.now() });
    expect(await wallet.withdrawals.reviews.show(data.id, '')).toMatchObject({
      status: 'under review',
      frozen: '100.00 USD',
      fee: '1.00 USD',
      pays: '99.00 USDT',
      network: 'TRC20',
      address: TRON,
      memo: 'rent',
    });
  });

  it('is closed to demo users', async () => {
    const demo = await backend.demo();
    const real = 'Please register or log in to a real account';
    for (const path of [
      'account/draw_symbol_list',
      'account/draw_list',
      'wallet/get_draw_method',
    ]) {
      expect([path, (await demo.get(`/api/${path}`)).msg]).toEqual([path, real]);
    }
    for (const path of ['account/draw', 'wallet/bind_draw_method', 'wallet/del_draw_method']) {
      expect([path, (await demo.post(`/api/${path}`)).msg]).toEqual([path, real]);
    }
  });

  it('lets the operator correct a balance within the free balance, with its reason as the memo', async () => {
    const adjust = (amount: string, memo: string) =>
      backend.transactions.run((work) => wallet.adjust(work, user.id, usd(amount), memo));
    await adjust('-12.5', 'Wire fee of your bank');
    expect(await user.balance()).toEqual(['987.500000', '0.000000']);
    const { list } = (await user.get('/v1/api/main/accountLog/forexChange')).data;
    expect(list[0]).toMatchObject({
      Value: '-12.500000',
      Type: 10,
      Memo: 'Wire fee of your bank',
    });
    await expect(adjust('-987.51', 'Too much')).rejects.toThrow('availableTooLow');
    await expect(adjust('5', ' ')).rejects.toThrow('adjustmentEmpty');
    expect(await backend.audit()).toEqual([]);
  });
});
