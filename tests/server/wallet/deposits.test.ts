import { afterAll, beforeEach, expect, it } from 'vitest';
import { toUsdRate } from '#domain/core/units';
import { isCoinAddress } from '#domain/wallet/coinAddress';
import { SANDBOX } from '../../../server/wallet/catalogue';
import { hasValidChecksum } from '../../../server/wallet/checksums';
import { createWallet, type Wallet } from '../../../server/wallet/wallet';
import { onEachDatabase } from '../support/database';
import { startBackend, type TestBackend, type TestUser } from '../support/testBackend';

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
    user = await backend.user();
  });
  afterAll(() => backend.close());

  const coin = async (changes: Record<string, string | number> = {}) => ({
    number: '0.5',
    proofImg: await backend.picture(user.id),
    address: 'bc1qsandx0xd0n0tsendrealc00nsherexxxxxxxxxx',
    charge_id: 4,
    ...changes,
  });

  it('offers networks, currencies and their accounts', async () => {
    const networks = (await user.get('/api/quickCharge/symbols')).data;
    expect(networks[0]).toEqual({
      id: 1,
      currency_code: 'USDT',
      protocol_code: 'TRC20',
      address: 'TSandboxDoNotSendRea1CoinsHere1111',
      usd_price: '1',
    });
    const currencies = (await user.get('/api/quickCharge/info')).data;
    expect(currencies[1]).toEqual({ id: 2, name: 'EUR', usd_price: '0.9223' });
    const accounts = (await user.get('/api/quickCharge/wire_info', { bank_coin: 4 })).data;
    expect(accounts.map(({ id }: { id: number }) => id)).toEqual([4, 5]);
    expect(Object.keys(accounts[0])).toEqual([
      'id',
      'bank_name',
      'bank_address',
      'bank_swift',
      'payee_name',
      'payee_account',
      'bank_remark',
    ]);
  });

  it('offers well-formed addresses with wrong checksums, which no wallet pays to', () => {
    for (const { protocol, address } of SANDBOX.networks) {
      expect([address, isCoinAddress(protocol, address)]).toEqual([address, true]);
      expect([address, hasValidChecksum(address)]).toEqual([address, false]);
    }
  });

  it('credits what the operator approves, in cents at the rate of the submission', async () => {
    const submitted = await user.get('/api/quickCharge/submit', await coin());
    expect(submitted).toMatchObject({ code: 1, data: { id: expect.any(Number) } });
    expect(submitted.msg).not.toBe('');
    expect(await user.balance()).toEqual(['0.000000', '0.000000']);
    const list = await user.get('/api/quickCharge/quick_ist', { type: 0 });
    expect(list.data).toEqual({
      data: [
        {
          id: submitted.data.id,
          number: '0.5',
          type: 0,
          currency_code: 'BTC',
          status: 0,
          created_at: '2026-01-31T08:00:00.000Z',
          remark: '',
        },
      ],
      total: 1,
    });

    const networks = SANDBOX.networks.map((each) => ({ ...each, usdPrice: toUsdRate('0.00002') }));
    const since = createWallet({ ...backend, catalogue: { ...SANDBOX, networks } });
    await backend.transactions.run((work) =>
      since.deposits.reviews.approve(work, submitted.data.id),
    );
    // 0.5 / 0.0000148721
    expect(await user.balance()).toEqual(['33620.000000', '0.000000']);
    const records = (await user.get('/v1/api/main/accountLog/forexChange')).data;
    expect(records.list[0]).toMatchObject({
      Value: '33620.000000',
      Type: 11,
      MemoTran: `Deposit ${submitted.data.id} credited`,
    });
    const again = backend.transactions.run((work) =>
      wallet.deposits.reviews.approve(work, submitted.data.id),
    );
    await expect(again).rejects.toThrow('notWaiting');
    expect(await user.balance()).toEqual(['33620.000000', '0.000000']);
    expect(await backend.audit()).toEqual([]);
  });

  it('credits a wire by the currency of its account', async () => {
    const { data } = await user.get('/api/quickCharge/wire_submit', {
      number: '100.00',
      proofImg: await backend.picture(user.id),
      wire_id: 2,
    });
    await backend.transactions.run((work) => wallet.deposits.reviews.approve(work, data.id));
    expect(await user.balance()).toEqual(['108.420000', '0.000000']);
    const list = (await user.get('/api/quickCharge/quick_ist', { type: 1 })).data;
    expect(list.data[0]).toMatchObject({ number: '100', type: 1, currency_code: 'EUR', status: 1 });
    expect((await user.get('/api/quickCharge/quick_ist', { type: 0 })).data.total).toBe(0);
  });

  it('credits nothing that the operator rejects or marks as invalid, and gives the reason', async () => {
    for (const status of ['rejected', 'invalid'] as const) {
      const { data } = await user.get('/api/quickCharge/submit', await coin());
      await backend.transactions.run((work) =>
        status === 'rejected'
          ? wallet.deposits.reviews.reject(work, data.id, 'Not seen')
          : wallet.deposits.invalidate(work, data.id, 'Not seen'),
      );
    }
    expect(await user.balance()).toEqual(['0.000000', '0.000000']);
    const { data } = (await user.get('/api/quickCharge/quick_ist')).data;
    expect(data.map((row: { status: number }) => row.status)).toEqual([3, 2]);
    expect(data[0].remark).toBe('Not seen');
    expect(await wallet.deposits.reviews.pending()).toEqual([]);
  });

  it.each([
    [{ charge_id: 99 }, 'Please choose a network'],
    [{ number: '' }, 'Please enter the number of coins to be charged'],
    [{ number: '0' }, 'The amount must be above zero'],
    [{ number: '-1' }, 'The amount must be above zero'],
    [{ number: '0.123456789' }, 'At most 8 decimals'],
    [{ number: '0.00000001' }, 'This is worth less than a cent'],
    [{ number: '999999999999' }, 'more than 10,000,000 USD'],
    [{ address: '' }, 'not one of our'],
    [{ address: 'zzz' }, 'not one of our'],
    [{ address: 'TSandboxDoNotSendRea1CoinsHere1111' }, 'not one of our'],
    [{ proofImg: '' }, 'Please upload one picture as proof'],
    [{ proofImg: 'https://elsewhere.example/cat.jpg' }, 'Please upload the picture again'],
  ])('refuses coins with %o', async (changes, message) => {
    const answer = await user.get('/api/quickCharge/submit', await coin(changes));
    expect(answer).toMatchObject({ code: 2, msg: expect.stringContaining(message), data: null });
    expect(await wallet.deposits.reviews.pending()).toEqual([]);
  });

  it('refuses a wire without an account or an amount, with the sentences of domain.md#deposit-form', async () => {
    const proofImg = await backend.picture(user.id);
    const wire = (params: Record<string, string | number>) =>
      user.get('/api/quickCharge/wire_submit', { proofImg, ...params });
    expect((await wire({ number: '5' })).msg).toBe(
      'There is no payment channel for the French currency account',
    );
    expect((await wire({ wire_id: 1 })).msg).toBe('Please enter the recharge amount');
    expect((await wire({ wire_id: 1, number: '1.001' })).msg).toBe('At most 2 decimals');
  });

  it('credits one deposit for a picture, whoever sends it again', async () => {
    const submit = async (of: TestUser, proofImg: string) =>
      of.get('/api/quickCharge/submit', await coin({ proofImg }));
    const used =
      'This picture already proves another deposit. Please upload the proof of this payment';
    const other = await backend.user();
    const picture = (of: TestUser) => backend.picture(of.id, 'the same file');
    const first = await picture(user);
    const { data } = await submit(user, first);
    expect(await submit(user, first)).toMatchObject({ code: 2, msg: used });
    expect((await submit(user, await picture(user))).msg).toBe(used);
    expect((await submit(other, await picture(other))).msg).toBe(used);
    const wire = { number: '5', wire_id: 1, proofImg: await picture(user) };
    expect((await user.get('/api/quickCharge/wire_submit', wire)).msg).toBe(used);
    expect((await submit(user, await backend.picture(user.id, 'another file'))).code).toBe(1);
    // What was not credited may be proven again.
    await backend.transactions.run((work) => wallet.deposits.reviews.reject(work, data.id, ''));
    const { data: second } = await submit(other, await picture(other));
    await backend.transactions.run((work) => wallet.deposits.reviews.approve(work, second.id));
    expect((await submit(user, first)).msg).toBe(used);
  });

  it("refuses another user's picture as proof", async () => {
    const other = await backend.user();
    const answer = await user.get(
      '/api/quickCharge/submit',
      await coin({ proofImg: await backend.picture(other.id) }),
    );
    expect(answer.code).toBe(2);
  });

  it('books one deposit for repeated requests with one key', async () => {
    const key = '3f1a3c1e-2a64-4c59-9a55-0f6f1f1b7b0a';
    const params = await coin();
    const first = await user.get('/api/quickCharge/submit', params, key);
    expect(await user.get('/api/quickCharge/submit', params, key)).toEqual(first);
    expect(await wallet.deposits.reviews.pending()).toHaveLength(1);
  });

  it('is closed to demo users', async () => {
    const demo = await backend.demo();
    for (const call of ['symbols', 'info', 'wire_info', 'submit', 'wire_submit', 'quick_ist']) {
      const answer = await demo.get(`/api/quickCharge/${call}`);
      expect([call, answer.msg]).toEqual([call, 'Please register or log in to a real account']);
    }
  });

  it('shows the operator everything that it needs for its decision', async () => {
    const { data } = await user.get('/api/quickCharge/submit', await coin());
    const [waiting] = await wallet.deposits.reviews.pending();
    expect(waiting).toMatchObject({
      id: data.id,
      since: backend.clock.now(),
      title: expect.stringMatching(/^user \d+: 0.5 BTC$/),
    });
    expect(await wallet.deposits.reviews.show(data.id, 'https://desk.example')).toMatchObject({
      status: 'under review',
      number: '0.5 BTC',
      credits: '33620 USD',
      proof: expect.stringContaining('https://desk.example/api/common/image/'),
    });
    expect(await wallet.deposits.reviews.show(99, '')).toBeUndefined();
  });

  it("shows nobody another user's deposits", async () => {
    await user.get('/api/quickCharge/submit', await coin());
    const other = await backend.user();
    expect((await other.get('/api/quickCharge/quick_ist')).data).toEqual({ data: [], total: 0 });
  });
});
