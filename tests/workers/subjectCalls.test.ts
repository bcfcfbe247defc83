import { describe, expect, it } from 'vitest';
import { toUsd } from '#domain/core/units';
import type { Reply } from './support/scriptedHttp';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from './support/testWorker';

const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';

/** A worker whose user logged in on an earlier visit. */
async function started(storage = new MemoryStorage()): Promise<TestWorker> {
  await storage.set('token', 'secret');
  const worker = createTestWorker([instrumentRow(1, 'EURUSD')], { storage });
  worker.server.on('/api/user/info', () => ({ data: { id: 7, uid: '7' } }));
  worker.start();
  await worker.clock.advance(100);
  return worker;
}

/** The only request of a path. */
function sent({ server }: TestWorker, path: string) {
  const [only, ...more] = server.to(path);
  expect(more).toEqual([]);
  const { t: _, ...params } = only?.params ?? {};
  const form = Object.fromEntries(new URLSearchParams(only?.body));
  // Every changing call has a deadline.
  for (const sentParams of [params, form]) delete sentParams['valid_until'];
  return { method: only?.method, params, form, key: only?.headers['idempotency-key'] };
}

const fund = {
  id: 3,
  title: 'Half-Year',
  image: '',
  currency_code: 'USDT',
  lock_dividend_days: 180,
  dividend_percentage: '0.0265',
  staring_sub_amount: '500',
  max_sub_amount: '100000',
  desc: '',
  liquidated_damages: '3',
};
const subscription = {
  id: 8,
  status: 1,
  share_amount: '1000',
  sub_time: '2026-01-31T08:00:00.000Z',
  day_profit: '0.265',
  sum_profit: '47.7',
  get_fund: fund,
};

describe('calls that read', () => {
  it.each([
    ['api', ['wallet.balance', {}], '/v1/api/main/wallet/getBalance', {}],
    [
      'api',
      ['wallet.recordList', { page: 2 }],
      '/v1/api/main/accountLog/forexChange',
      { page: '2' },
    ],
    [
      'api',
      ['wallet.bankAccounts', { bank_coin: 4 }],
      '/api/quickCharge/wire_info',
      { bank_coin: '4' },
    ],
    [
      'api',
      ['news.newsList', { category_id: 1, page: 5 }],
      '/api/news/list',
      { category_id: '1', page: '5' },
    ],
    ['api', ['news.newsArticle', { id: 9 }], '/api/news/info', { id: '9' }],
    ['api', ['companies.companyList', { name: 'Ltd' }], '/api/company/getCompany', { name: 'Ltd' }],
    ['api', ['mining.fundList', { page: 1 }], '/api/fund/list', { page: '1' }],
    ['api', ['mining.fundInfo', { id: 3 }], '/api/fund/info', { id: '3' }],
    ['api', ['mining.subscriptionList', { page: 2 }], '/api/fund/subList', { page: '2' }],
    [
      'api',
      ['mining.incomeList', { sub_id: 8, page: 1 }],
      '/api/fund/insList',
      { sub_id: '8', page: '1' },
    ],
    ['api', ['ranking.traderList', { page: 1 }], '/api/follow/list', { page: '1' }],
  ] as const)('%s%j requests %s', async (method, args, path, params) => {
    const worker = await started();
    const call = worker.workerApi[method] as (...args: readonly unknown[]) => Promise<unknown>;
    await call(...args);
    expect(sent(worker, path)).toEqual({ method: 'GET', params, form: {}, key: undefined });
    expect(worker.server.to(path)[0]?.headers['authorization']).toBe('secret');
  });

  it('waits for the token of the last visit', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'secret');
    const worker = createTestWorker([], { storage });
    worker.start();
    const asked = worker.workerApi.api('wallet.recordList', { page: 1 });
    await worker.clock.advance(10);
    await asked;
    const [request] = worker.server.to('/v1/api/main/accountLog/forexChange');
    expect(request?.headers['authorization']).toBe('secret');
  });

  it('are not reported as an event if they fail: the screen shows the failure', async () => {
    const worker = await started();
    const replies: Reply[] = [{ status: 503 }, { code: 2, msg: 'No.' }, { data: { data: 7 } }];
    for (const reply of replies) {
      worker.server.on('/api/news/list', () => reply);
      expect(await worker.workerApi.api('news.newsList', { page: 1 })).toMatchObject({ ok: false });
    }
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([]);
  });

  it('lead to the login if the session has ended', async () => {
    const worker = await started();
    worker.server.on('/api/fund/subList', () => ({ code: 999, msg: 'Please log in' }));
    expect(await worker.workerApi.api('mining.subscriptionList', {})).toMatchObject({
      failure: { kind: 'signed-out' },
    });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([{ type: 'signed-out', initial: false }]);
  });

  it('keep the valid rows of a list, and count the rest', async () => {
    const worker = await started();
    worker.server.on('/api/fund/subList', () => ({
      data: {
        data: [subscription, { ...subscription, id: 7, status: 9 }, null],
        current_page: 1,
        last_page: 1,
      },
    }));
    const result = await worker.workerApi.api('mining.subscriptionList', { page: 1 });
    expect(result).toMatchObject({ data: { rows: [{ id: 8 }], received: 3, last: true } });
    expect(structuredClone(result)).toEqual(result);
  });

  it('of one article show the spinner (screens.md#busy-overlay)', async () => {
    const worker = await started();
    worker.server.on('/api/news/info', () => ({ data: { id: 9, title: 'News', content: '<p>' } }));
    const article = await worker.workerApi.api('news.newsArticle', { id: 9 }, { busy: true });
    expect(article).toMatchObject({ ok: true, data: { title: 'News', content: '<p>' } });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([
      { type: 'busy', busy: true },
      { type: 'busy', busy: false },
    ]);
  });
});

const withdrawal = { draw_currency_id: 1, number: '12.5', memo: 'rent', draw_method_id: 3 };

describe('calls that change something', () => {
  it('a coin deposit', async () => {
    const worker = await started();
    worker.server.on('/api/quickCharge/submit', () => ({ data: { id: 5 }, msg: 'Submitted' }));
    const deposit = { number: '1.5', proofImg: 'https://p', address: 'T', charge_id: 2 };
    const result = await worker.workerApi.api('wallet.submitCoinDeposit', deposit, { key: KEY });
    expect(result).toEqual({ ok: true, data: { data: 5, text: 'Submitted' } });
    expect(sent(worker, '/api/quickCharge/submit')).toEqual({
      method: 'GET',
      params: { number: '1.5', proofImg: 'https://p', address: 'T', charge_id: '2' },
      form: {},
      key: KEY,
    });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([{ type: 'notice', tone: 'info', text: 'Submitted' }]);
  });

  it('a withdrawal', async () => {
    const worker = await started();
    worker.server.on('/api/account/draw', () => ({ data: { id: 7 }, msg: 'Submitted' }));
    await worker.workerApi.api('wallet.submitWithdrawal', withdrawal, { key: KEY });
    expect(sent(worker, '/api/account/draw')).toEqual({
      method: 'POST',
      params: {},
      form: { draw_currency_id: '1', number: '12.5', memo: 'rent', draw_method_id: '3' },
      key: KEY,
    });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([{ type: 'notice', tone: 'info', text: 'Submitted' }]);
  });

  it('a refused withdrawal has the sentence of the server', async () => {
    const worker = await started();
    worker.server.on('/api/account/draw', () => ({ code: 2, msg: 'Too little' }));
    const result = await worker.workerApi.api('wallet.submitWithdrawal', withdrawal, { key: KEY });
    expect(result).toEqual({
      ok: false,
      failure: { kind: 'refused', code: 2, text: 'Too little' },
    });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([{ type: 'notice', tone: 'error', text: 'Too little' }]);
  });

  it('a payout method, of which the screen tells', async () => {
    const worker = await started();
    worker.server.on('/api/wallet/bind_draw_method', () => ({ data: { id: 1 }, msg: 'Saved' }));
    const method = { type: 1, draw_id: 2, dc_address: 'T1', remark: 'mine' };
    expect(await worker.workerApi.api('wallet.addPayoutMethod', method, { key: KEY })).toEqual({
      ok: true,
      data: { data: 1, text: 'Saved' },
    });
    expect(sent(worker, '/api/wallet/bind_draw_method')).toMatchObject({
      form: { draw_id: '2', type: '1', remark: 'mine', dc_address: 'T1' },
      key: KEY,
    });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([]);
  });

  it('a deletion, whose answer has no data', async () => {
    const worker = await started();
    worker.server.on('/api/wallet/del_draw_method', () => ({ data: null, msg: 'Deleted' }));
    const deleted = worker.workerApi.api('wallet.deletePayoutMethod', { id: 4 }, { key: KEY });
    expect(await deleted).toMatchObject({ ok: true });
    expect(sent(worker, '/api/wallet/del_draw_method')).toMatchObject({
      method: 'POST',
      form: { id: '4' },
      key: KEY,
    });
  });

  it('a subscription and its redemption', async () => {
    const worker = await started();
    worker.server.on('/api/fund/buy', () => ({ data: subscription }));
    worker.server.on('/api/fund/applyRefund', () => ({ data: { ...subscription, status: 2 } }));
    const fund = { id: 3, amount: '1000' };
    const bought = await worker.workerApi.api('mining.buyFund', fund, { key: KEY });
    expect(bought).toMatchObject({ ok: true, data: { data: { dayProfit: toUsd('0.265') } } });
    expect(sent(worker, '/api/fund/buy')).toMatchObject({
      params: { id: '3', amount: '1000' },
      key: KEY,
    });
    const redeemed = await worker.workerApi.api(
      'mining.redeemSubscription',
      { sub_id: 8 },
      { key: KEY },
    );
    expect(redeemed).toMatchObject({ ok: true, data: { data: { status: 'refunding' } } });
    expect(sent(worker, '/api/fund/applyRefund')).toMatchObject({
      params: { sub_id: '8' },
      key: KEY,
    });
  });

  it('that moves money has the balances fetched again, another one has not', async () => {
    const worker = await started();
    const fetched = () => worker.server.to('/v1/api/main/account/forexDetail').length;
    worker.server.on('/api/fund/buy', () => ({ data: subscription }));
    worker.server.on('/api/fund/applyRefund', () => ({ data: subscription }));
    const before = fetched();
    await worker.workerApi.api('mining.redeemSubscription', { sub_id: 8 }, { key: KEY });
    await worker.clock.advance(100);
    expect(fetched()).toBe(before);
    const key = KEY.replace('6', '7');
    await worker.workerApi.api('mining.buyFund', { id: 3, amount: '1000' }, { key });
    await worker.clock.advance(100);
    expect(fetched()).toBe(before + 1);
  });

  it('is done although its row can’t be read', async () => {
    const worker = await started();
    worker.server.on('/api/fund/applyRefund', () => ({ data: { id: 'x' }, msg: 'Requested' }));
    expect(
      await worker.workerApi.api('mining.redeemSubscription', { sub_id: 8 }, { key: KEY }),
    ).toEqual({ ok: true, data: { data: undefined, text: 'Requested' } });
  });

  it('is shown under its name while its answer is lost, and repeated on the next visit', async () => {
    const worker = await started();
    worker.server.on('/api/fund/buy', () => ({ fault: 'ERR_NETWORK' }));
    void worker.workerApi.api('mining.buyFund', { id: 3, amount: '1000' }, { key: KEY });
    await worker.clock.advance(600);
    const shown = { key: KEY, subject: { kind: 'subscription' } };
    expect(worker.shown.unanswered).toEqual([{ ...shown, state: 'asking' }]);
    const [first] = worker.server.to('/api/fund/buy');
    expect(Number(first?.params['valid_until'])).toBeGreaterThan(0);

    const next = await started(worker.storage);
    next.server.on('/api/fund/buy', () => ({ data: subscription, msg: 'Subscribed' }));
    await next.clock.advance(10_000);
    const [repeated] = next.server.to('/api/fund/buy');
    expect(repeated?.headers['idempotency-key']).toBe(KEY);
    expect({ ...repeated?.params, t: '' }).toEqual({ ...first?.params, t: '' });
    expect(next.shown.unanswered).toEqual([]);
    const settled = { type: 'request-settled', subject: shown.subject, text: 'Subscribed' };
    expect(next.shown.events).toEqual([settled]);
  });

  it('is checking while its answer is lost, and carried out once', async () => {
    const worker = await started();
    const replies: Reply[] = [{ fault: 'ERR_NETWORK' }, { status: 502 }, { data: { id: 7 } }];
    worker.server.on('/api/account/draw', () => replies.shift() ?? { status: 500 });
    const answer = worker.workerApi.api('wallet.submitWithdrawal', withdrawal, { key: KEY });
    await worker.clock.advance(600);
    expect(worker.shown.unanswered).toEqual([
      { key: KEY, subject: { kind: 'withdrawal' }, state: 'asking' },
    ]);
    await worker.clock.advance(10_000);
    expect(await answer).toMatchObject({ ok: true, data: { data: 7 } });
    expect(worker.shown.unanswered).toEqual([]);
    const keys = worker.server.to('/api/account/draw').map((a) => a.headers['idempotency-key']);
    expect(keys).toEqual([KEY, KEY, KEY]);
    expect(worker.shown.events).toEqual([
      { type: 'request-settled', subject: { kind: 'withdrawal' }, text: '' },
    ]);
  });
});
