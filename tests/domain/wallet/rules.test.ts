import { describe, expect, it } from 'vitest';
import { toDecimal } from '#domain/core/decimal';
import { toCurrencyAmount, toUsdRate } from '#domain/core/units';
import {
  type DepositForm,
  depositProblems,
  type PayoutForm,
  payoutProblems,
  type WithdrawContext,
  type WithdrawForm,
  withdrawProblems,
} from '#domain/wallet/rules';
import { EMPTY_PAYEE } from '#domain/wallet/wallet';
import type { WithdrawTerms } from '#domain/wallet/withdraw';
import { usd } from '../support/instruments';

const deposit = (changes: Partial<DepositForm> = {}): DepositForm => ({
  kind: 'coin',
  channel: { usdPrice: toUsdRate('1') },
  number: toCurrencyAmount('5'),
  proofs: ['https://x.example/api/common/image/1'],
  ...changes,
});

describe('a deposit (domain.md#deposit-form)', () => {
  it.each<[Partial<DepositForm>, string | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ kind: 'bank' }, undefined, undefined],
    [{ channel: undefined }, 'channel', 'networkRequired'],
    [{ kind: 'bank', channel: undefined, number: undefined }, 'channel', 'noPayChannel'],
    [{ number: undefined }, 'number', 'coinNumberRequired'],
    [{ kind: 'bank', number: undefined }, 'number', 'rechargeAmountRequired'],
    [{ number: toCurrencyAmount('0') }, 'number', 'amountNotPositive'],
    [{ number: toCurrencyAmount('0.12345678') }, undefined, undefined],
    [{ number: toCurrencyAmount('0.123456789') }, 'number', 'amountTooFine'],
    [{ kind: 'bank', number: toCurrencyAmount('1.001') }, 'number', 'amountTooFine'],
    [{ kind: 'bank', number: toCurrencyAmount('1.100') }, undefined, undefined],
    [{ number: toCurrencyAmount('0.004') }, 'number', 'depositTooSmall'],
    [{ number: toCurrencyAmount('10000000') }, undefined, undefined],
    [{ number: toCurrencyAmount('10000001') }, 'number', 'depositTooLarge'],
    [{ proofs: [] }, 'proofs', 'proofRequired'],
    [{ proofs: ['a', 'b'] }, 'proofs', 'proofRequired'],
  ])('%o', (changes, field, key) => {
    const [problem] = depositProblems(deposit(changes));
    expect([problem?.field, problem?.message.key]).toEqual([field, key]);
  });
});

const FIXED: WithdrawTerms = {
  feeType: 'fixed',
  fee: toDecimal('25'),
  usdPrice: toUsdRate('1'),
};
const withdraw = (changes: Partial<WithdrawForm> = {}): WithdrawForm => ({
  currency: FIXED,
  method: 3,
  amount: usd('100'),
  ...changes,
});
const context: WithdrawContext = { available: usd('100.009'), methods: 1, waitHours: 0 };

describe('a withdrawal (domain.md#withdrawal-form)', () => {
  it.each<[Partial<WithdrawForm>, Partial<WithdrawContext>, string | undefined]>([
    [{}, {}, undefined],
    [{ currency: undefined }, {}, 'currencyRequired'],
    [{ method: undefined }, { methods: 0 }, 'payoutMethodMissing'],
    [{ method: undefined }, { methods: 2 }, 'payoutMethodRequired'],
    [{ method: undefined }, { methods: undefined }, 'payoutMethodRequired'],
    [{}, { waitHours: 3 }, 'payoutMethodWaits'],
    [{ method: undefined }, { waitHours: 3 }, 'payoutMethodRequired'],
    [{ amount: undefined }, {}, 'withdrawAmountRequired'],
    [{ amount: usd('-1') }, {}, 'amountNotPositive'],
    [{ amount: usd('50.005') }, {}, 'amountTooFine'],
    [{ amount: usd('9.99') }, {}, 'amountBelowMinimum'],
    [{ amount: usd('25') }, {}, 'feeExceedsAmount'],
    [{ amount: usd('25.01') }, {}, undefined],
    [{ amount: usd('100.01') }, {}, 'availableTooLow'],
    [{ amount: usd('100.01') }, { available: undefined }, undefined],
  ])('%o with %o', (changes, known, key) => {
    const [problem] = withdrawProblems(withdraw(changes), { ...context, ...known });
    expect(problem?.message.key).toBe(key);
  });
});

const payout = (changes: Partial<PayoutForm> = {}): PayoutForm => ({
  kind: 'bank',
  protocol: '',
  address: '',
  bankName: 'Harbor Bank',
  bankAddress: 'Quay 1',
  bankSwift: 'HARBHKHH',
  branchName: '',
  payeeName: 'Ada Example',
  payeeAccount: '123',
  remark: '',
  ...changes,
});
const coin = (changes: Partial<PayoutForm> = {}) =>
  payout({
    kind: 'coin',
    protocol: 'TRC20',
    address: ' TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t ',
    bankName: '',
    ...changes,
  });

it('every field that lacks something is named', () => {
  const fields = (problems: readonly { field: string }[]) => problems.map(({ field }) => field);
  expect(
    fields(depositProblems(deposit({ channel: undefined, number: undefined, proofs: [] }))),
  ).toEqual(['channel', 'number', 'proofs']);
  expect(
    fields(withdrawProblems(withdraw({ currency: undefined, amount: undefined }), context)),
  ).toEqual(['currency', 'amount']);
  expect(fields(payoutProblems(payout({ bankSwift: '', payeeName: ' ' })))).toEqual([
    'bankSwift',
    'payeeName',
  ]);
});

describe('a payout method', () => {
  it('begins with nothing filled in', () => {
    expect([...new Set(Object.values(EMPTY_PAYEE))]).toEqual(['']);
  });

  it.each<[PayoutForm, string | undefined, string | undefined]>([
    [payout(), undefined, undefined],
    [coin(), undefined, undefined],
    [payout({ protocol: undefined }), 'protocol', 'currencyRequired'],
    [payout({ bankSwift: ' ' }), 'bankSwift', 'incomplete'],
    [payout({ payeeAccount: '' }), 'payeeAccount', 'incomplete'],
    [payout({ remark: 'x'.repeat(201) }), 'remark', 'textTooLong'],
    [payout({ remark: 'rent\u200e' }), 'remark', 'textForging'],
    [payout({ payeeName: '\u2060Ann' }), 'payeeName', 'textForging'],
    [payout({ remark: '𝄞'.repeat(200) }), undefined, undefined],
    [coin({ address: '  ' }), 'address', 'addressRequired'],
    [coin({ protocol: 'ERC20' }), 'address', 'addressInvalid'],
  ])('%o', (form, field, key) => {
    const [problem] = payoutProblems(form);
    expect([problem?.field, problem?.message.key]).toEqual([field, key]);
  });
});
