import { describe, expect, it } from 'vitest';
import { companyList } from '#domain/api/companies';
import { fundInfo, incomeList, redeemSubscription } from '#domain/api/mining';
import { newsArticle, newsList } from '#domain/api/news';
import { traderList } from '#domain/api/ranking';
import { parse } from '#domain/api/schema';
import * as wallet from '#domain/api/wallet';
import { toDecimal } from '#domain/core/decimal';

/** One good row of each kind, as our server sends it. */
const ROWS = {
  network: {
    id: 1,
    currency_code: 'USDT',
    protocol_code: 'TRC20',
    address: 'T…',
    usd_price: '1',
  },
  bankCurrency: { id: 2, name: 'EUR', usd_price: '0.9223' },
  account: { id: 3, bank_name: 'B', payee_account: '12', bank_remark: 'r' },
  deposit: {
    id: 4,
    number: '0.5',
    type: 0,
    currency_code: 'BTC',
    status: 1,
    created_at: '2026-01-31T08:00:00.000Z',
    remark: '',
  },
  currency: { id: 5, code: 'EUR', protocol: '', draw_rate: '0.005', fee_type: 2, usd_price: '0.9' },
  method: { id: 6, draw_type: 1, dc_address: 'T…', draw_currency: { id: 1, code: 'USDT' } },
  withdrawal: { id: 7, number: '100', real_number: '99.5', fee: '0.5', type: 1 },
  fund: {
    id: 8,
    lock_dividend_days: 30,
    dividend_percentage: '0.018',
    staring_sub_amount: '50',
    max_sub_amount: '20000',
    liquidated_damages: '1',
  },
  income: { id: 10, interest: '0.18', created_at: '2026-01-31T08:00:00.000Z' },
  news: { id: 11, title: 'Lots', desc: 'What is a lot?' },
  company: { id: 12, name: 'Mistral', url: 'https://mistral.example' },
  trader: { id: 13, user: { name: 'Comet' }, three_week_rate: '1.25', total_trade_num: 9 },
};
const readCoinNetwork = (row: unknown) => parse(wallet.coinNetworks.answer, [row])?.[0];
const readBankCurrency = (row: unknown) => parse(wallet.bankCurrencies.answer, [row])?.[0];
const readBankAccount = (row: unknown) => parse(wallet.bankAccounts.answer, [row])?.[0];
const readDeposit = (row: unknown) => parse(wallet.depositList.answer, { data: [row] })?.rows[0];
const readWithdrawCurrency = (row: unknown) => parse(wallet.withdrawCurrencies.answer, [row])?.[0];
const readPayoutMethod = (row: unknown) => parse(wallet.payoutMethods.answer, [row])?.[0];
const readWithdrawal = (row: unknown) =>
  parse(wallet.withdrawalList.answer, { data: [row] })?.rows[0];
const readCreated = (sent: unknown) => parse(wallet.submitWithdrawal.answer, sent);
const readCompany = (row: unknown) => parse(companyList.answer, [row])?.[0];
const readFund = (row: unknown) => parse(fundInfo.answer, row);
const readSubscription = (row: unknown) => parse(redeemSubscription.answer, row);
const readIncome = (row: unknown) => parse(incomeList.answer, { data: [row] })?.rows[0];
const readNewsItem = (row: unknown) => parse(newsList.answer, { data: [row] })?.rows[0];
const readNewsArticle = (row: unknown) => parse(newsArticle.answer, row);
const readTrader = (row: unknown) => parse(traderList.answer, { data: [row] })?.rows[0];
const subscription = { id: 9, status: 2, share_amount: '1000', get_fund: ROWS.fund };

const READERS: [name: string, read: (row: unknown) => unknown, row: object][] = [
  ['network', readCoinNetwork, ROWS.network],
  ['bank currency', readBankCurrency, ROWS.bankCurrency],
  ['bank account', readBankAccount, ROWS.account],
  ['deposit', readDeposit, ROWS.deposit],
  ['withdraw currency', readWithdrawCurrency, ROWS.currency],
  ['payout method', readPayoutMethod, ROWS.method],
  ['withdrawal', readWithdrawal, ROWS.withdrawal],
  ['fund', readFund, ROWS.fund],
  ['subscription', readSubscription, subscription],
  ['income', readIncome, ROWS.income],
  ['news', readNewsItem, ROWS.news],
  ['article', readNewsArticle, ROWS.news],
  ['company', readCompany, ROWS.company],
  ['trader', readTrader, ROWS.trader],
];

describe.each(READERS)('a row of %s', (_name, read, row) => {
  it('is read with numbers as text or as numbers', () => {
    const turned = Object.fromEntries(
      Object.entries(row).map(([key, value]) => {
        if (typeof value === 'number') return [key, String(value)];
        const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
        return [key, Number.isNaN(number) || key === 'payee_account' ? value : number];
      }),
    );
    expect(read(row)).toBeDefined();
    expect(read(turned)).toEqual(read(row));
  });

  it.each([undefined, null, 5, 'row', [], {}, { __proto__: { id: 1 } }])(
    'is refused as %j',
    (bad) => {
      expect(read(bad)).toBeUndefined();
    },
  );

  it.each([0, -1, 1.5, 'x', null, undefined])('is refused with the id %j', (id) => {
    expect(read({ ...row, id })).toBeUndefined();
  });
});

describe('fields that money depends on', () => {
  it.each<[(row: unknown) => unknown, object]>([
    [readCoinNetwork, { ...ROWS.network, usd_price: '0' }],
    [readCoinNetwork, { ...ROWS.network, usd_price: 'NaN' }],
    [readCoinNetwork, { ...ROWS.network, address: '' }],
    [readDeposit, { ...ROWS.deposit, number: {} }],
    [readDeposit, { ...ROWS.deposit, status: 7 }],
    [readWithdrawCurrency, { ...ROWS.currency, draw_rate: '-1' }],
    [readWithdrawCurrency, { ...ROWS.currency, fee_type: undefined }],
    [readPayoutMethod, { ...ROWS.method, draw_currency: null }],
    [readWithdrawal, { ...ROWS.withdrawal, real_number: [] }],
    [readFund, { ...ROWS.fund, lock_dividend_days: 0 }],
    [readFund, { ...ROWS.fund, dividend_percentage: '' }],
    [readSubscription, { ...subscription, status: 5 }],
    [readSubscription, { ...subscription, get_fund: {} }],
    [readIncome, { ...ROWS.income, interest: 'much' }],
  ])('%o: nothing is read of %o', (read, row) => {
    expect(read(row)).toBeUndefined();
  });
});

describe('other fields', () => {
  it('has the kinds, statuses and amounts of protocol.md#wallet-calls', () => {
    expect(readDeposit(ROWS.deposit)).toEqual({
      id: 4,
      kind: 'coin',
      currency: 'BTC',
      number: toDecimal('0.5'),
      status: 'finished',
      createdAt: Date.UTC(2026, 0, 31, 8),
      remark: '',
    });
    expect(readDeposit({ ...ROWS.deposit, type: 1 })?.kind).toBe('bank');
    expect(readWithdrawCurrency(ROWS.currency)?.feeType).toBe('rate');
    expect(readWithdrawCurrency({ ...ROWS.currency, fee_type: 1 })?.feeType).toBe('fixed');
    expect(readWithdrawCurrency({ ...ROWS.currency, fee_type: 0 })?.feeType).toBe('rate');
    expect(readSubscription(subscription)?.status).toBe('refunding');
    expect(readWithdrawal({ ...ROWS.withdrawal, type: 2 })?.kind).toBe('bank');
    expect(readCreated({ id: '17' })).toBe(17);
    expect(readCreated(null)).toBeUndefined();
  });

  it('accepts only https addresses of a company', () => {
    for (const url of ['javascript:alert(1)', 'http://mistral.example', '//x', 5, null]) {
      expect(readCompany({ ...ROWS.company, url })?.url).toBe('');
    }
  });
});

describe('pages', () => {
  const rows = [ROWS.news, { id: 'broken' }, { ...ROWS.news, id: 12 }];

  it('keep the good rows, and count what was sent', () => {
    const page = parse(newsList.answer, { data: rows, total: '41' });
    expect(page).toMatchObject({ received: 3, total: 41, last: undefined });
    expect(page?.rows.map(({ id }) => id)).toEqual([11, 12]);
    expect(parse(newsList.answer, { data: {} })).toBeUndefined();
    expect(parse(newsList.answer, null)).toBeUndefined();
  });

  it.each([
    [{ current_page: 1, last_page: 2 }, false],
    [{ current_page: '2', last_page: 2 }, true],
    [{ current_page: 3, last_page: 2 }, true],
    [{}, false],
  ])('with %o: last is %s', (numbers, last) => {
    expect(parse(incomeList.answer, { data: [ROWS.income], ...numbers })?.last).toBe(last);
  });

  it('are the last if they are empty and have no total', () => {
    expect(parse(incomeList.answer, { data: [] })?.last).toBe(true);
  });
});
