/** Deposits, withdrawals, payout methods and balances (protocol.md#wallet-calls): amounts as decimal strings. */
import * as v from 'valibot';
import { sign } from '../core/decimal';
import { readCurrencyAmount, readDecimal, readUsd, readUsdRate } from '../core/readAmounts';
import { toCurrencyAmount, toUsd } from '../core/units';
import {
  DEPOSIT_STATUSES,
  DEPOSIT_TYPES,
  MAX_LINE,
  MONEY_TYPES,
  type MoneyKind,
  type WithdrawFeeType,
} from '../wallet/wallet';
import { call } from './call';
import {
  amount,
  amountOrZero,
  code,
  id,
  list,
  named,
  neededText,
  nothing,
  optionalTime,
  page,
  pageOf,
  rows,
  text,
  time,
  whole,
  wholeOrZero,
} from './fields';
import * as params from './params';
import { lenient, type Read, type Sent } from './schema';

type Types = Readonly<Record<MoneyKind, number>>;

const toKind = ({ coin }: Types) =>
  v.transform((type: number): MoneyKind => (type === coin ? 'coin' : 'bank'));

/** A kind by its number; an unknown one is a bank's. */
const kindOf = (types: Types) =>
  lenient(v.pipe(code(types.coin, types.bank), toKind(types)), 'bank');

const kindParam = <const T extends Types>(types: T) =>
  v.pipe(params.oneOf<T[MoneyKind]>(types.coin, types.bank), toKind(types));

const optionalKind = params.optional(kindParam(MONEY_TYPES), 'coin');

const balances = v.pipe(
  v.object({
    balance: amount(readUsd),
    /** Frozen: margins of pending orders and positions, and withdrawals under review. */
    lock_balance: amount(readUsd),
  }),
  v.title('Balance'),
  v.transform(({ balance, lock_balance: lockBalance }) => ({ balance, lockBalance })),
);

/** What is available and what is frozen, as it is sent. */
export type BalanceRow = Sent<typeof balances>;

/** What is available and what is frozen (domain.md#balance). */
export const balance = call({
  method: 'GET',
  path: '/v1/api/main/wallet/getBalance',
  access: 'user',
  effect: 'reads',
  params: {},
  answer: balances,
});

/** A correction by the operator: its memo is shown untranslated (domain.md#financial-records). */
const TYPE_MEMO = 10;

const record = v.pipe(
  v.object({
    Id: id,
    /** USD; negative where the balance decreased. */
    Value: amount(readUsd),
    Type: whole,
    /** The operator's own text. */
    Memo: text,
    /** In the user's language. */
    MemoTran: text,
    CreatedAtTran: time,
  }),
  v.title('FinancialRecord'),
  v.transform(({ Id, Value, Type, Memo, MemoTran, CreatedAtTran }) => ({
    id: Id,
    /** USD; negative where the balance decreased. */
    value: Value,
    type: Type,
    /** What happened, in the user's language. */
    text: Type === TYPE_MEMO ? Memo : MemoTran,
    createdAt: CreatedAtTran,
  })),
);

/** One movement of the available balance (protocol.md#financial-record). */
export type FinancialRecord = Read<typeof record>;

/** Its rows are called `list` where all others are `data`. */
const records = v.pipe(
  v.object({ list: list(record), total: lenient(whole, undefined) }),
  v.transform(({ list, total }) => pageOf(list, total)),
);

/** A page of financial records, as it is sent. */
export type RecordPageRow = Sent<typeof records>;

/** Financial records, newest first (protocol.md#financial-records). */
export const recordList = call({
  method: 'GET',
  path: '/v1/api/main/accountLog/forexChange',
  access: 'user',
  effect: 'reads',
  params: { page: params.page, limit: params.limit },
  answer: records,
});

/** Units of a currency for one USD: a row without a rate is dropped. */
const rate = v.pipe(
  amount(readUsdRate),
  v.check((rate) => sign(rate) > 0),
);

const coinNetwork = v.pipe(
  v.object({
    id,
    currency_code: text,
    /** The network, as "TRC20". */
    protocol_code: text,
    /** The address to send the coins to. */
    address: neededText,
    /** Units of the currency for one USD. */
    usd_price: rate,
  }),
  v.title('CoinNetwork'),
  v.transform(({ id, currency_code, protocol_code, address, usd_price }) => {
    return { id, currency: currency_code, protocol: protocol_code, address, usdPrice: usd_price };
  }),
);

/** A network that coins can be deposited over (protocol.md#coin-network). */
export type CoinNetwork = Read<typeof coinNetwork>;

export const coinNetworks = call({
  method: 'GET',
  path: '/api/quickCharge/symbols',
  access: 'real',
  effect: 'reads',
  params: {},
  answer: rows(coinNetwork),
});

const bankCurrency = v.pipe(
  v.object({ id, name: text, usd_price: rate }),
  v.title('BankCurrency'),
  v.transform(({ id, name, usd_price: usdPrice }) => ({ id, name, usdPrice })),
);

/** A currency in which money can be wired (protocol.md#deposit-channels). */
export type BankCurrency = Read<typeof bankCurrency>;

export const bankCurrencies = call({
  method: 'GET',
  path: '/api/quickCharge/info',
  access: 'real',
  effect: 'reads',
  params: {},
  answer: rows(bankCurrency),
});

const bankAccount = v.pipe(
  v.object({
    id,
    bank_name: text,
    bank_address: text,
    bank_swift: text,
    payee_name: text,
    payee_account: neededText,
    bank_remark: text,
  }),
  v.title('BankAccount'),
  v.transform((row) => ({
    id: row.id,
    bankName: row.bank_name,
    bankAddress: row.bank_address,
    bankSwift: row.bank_swift,
    payeeName: row.payee_name,
    payeeAccount: row.payee_account,
    remark: row.bank_remark,
  })),
);

/** The account that money is wired to (protocol.md#bank-account). */
export type BankAccount = Read<typeof bankAccount>;

/** The id of a row; 0 where none is chosen. */
const chosen = params.integerOrZero;

/** Bank accounts that take deposits in a currency. */
export const bankAccounts = call({
  method: 'GET',
  path: '/api/quickCharge/wire_info',
  access: 'real',
  effect: 'reads',
  params: { bank_coin: chosen },
  answer: rows(bankAccount),
});

/** What submit, wire_submit, draw and bind_draw_method answer: the id of the new row. */
const created = v.pipe(
  v.object({ id }),
  v.title('Created'),
  v.transform(({ id }) => id),
);

/** Longest address that browsers accept. */
const MAX_URL = 2_000;

const deposited = {
  /** Of the currency. */
  number: params.decimalIfSent(toCurrencyAmount),
  /** Address of the uploaded proof. */
  proofImg: params.optionalText(MAX_URL),
};

export const submitCoinDeposit = call({
  method: 'GET',
  path: '/api/quickCharge/submit',
  access: 'real',
  effect: 'once',
  request: 'deposit',
  confirms: true,
  params: {
    ...deposited,
    /** The address that the coins were sent to. */
    address: params.optionalText(),
    /** The network. */
    charge_id: chosen,
  },
  answer: created,
});

export const submitBankDeposit = call({
  method: 'GET',
  path: '/api/quickCharge/wire_submit',
  access: 'real',
  effect: 'once',
  request: 'deposit',
  confirms: true,
  params: {
    ...deposited,
    /** The bank account. */
    wire_id: chosen,
  },
  answer: created,
});

const deposit = v.pipe(
  v.object({
    id,
    /** In the currency. */
    number: amount(readCurrencyAmount),
    /** 0 coin, 1 bank. */
    type: kindOf(DEPOSIT_TYPES),
    currency_code: text,
    /** 0 unchecked, 1 finished, 2 rejected, 3 invalid. */
    status: named(DEPOSIT_STATUSES),
    created_at: time,
    /** The reviewer's. */
    remark: text,
  }),
  v.title('DepositRecord'),
  v.transform(({ type: kind, currency_code: currency, created_at: createdAt, ...row }) => {
    return { ...row, kind, currency, createdAt };
  }),
);

/** A deposit, as it is sent. */
export type DepositRow = Sent<typeof deposit>;

/** A deposit (protocol.md#deposit-record). */
export type Deposit = Read<typeof deposit>;

/** Deposits of a kind, newest first. */
export const depositList = call({
  method: 'GET',
  path: '/api/quickCharge/quick_ist',
  access: 'real',
  effect: 'reads',
  params: { type: params.optional(kindParam(DEPOSIT_TYPES), 'coin'), page: params.page },
  answer: page(deposit),
});

/** Of `fee_type`: an amount in USD, or a share of what is withdrawn. */
export const FEE_FIXED = 1;
export const FEE_RATE = 2;

const withdrawCurrency = v.pipe(
  v.object({
    id,
    code: text,
    /** The network; empty for a bank. */
    protocol: text,
    /** USD, or a fraction. */
    draw_rate: v.pipe(
      amount(readDecimal),
      v.check((fee) => sign(fee) >= 0),
    ),
    fee_type: code(FEE_FIXED, FEE_RATE),
    usd_price: rate,
  }),
  v.title('WithdrawCurrency'),
  v.transform(({ draw_rate: fee, fee_type, usd_price: usdPrice, ...row }) => {
    const feeType: WithdrawFeeType = fee_type === FEE_FIXED ? 'fixed' : 'rate';
    return { ...row, fee, feeType, usdPrice };
  }),
);

/** A currency that can be paid out (protocol.md#withdraw-currency). */
export type WithdrawCurrency = Read<typeof withdrawCurrency>;

/** Currencies of a kind. */
export const withdrawCurrencies = call({
  method: 'GET',
  path: '/api/account/draw_symbol_list',
  access: 'real',
  effect: 'reads',
  params: { type: optionalKind },
  answer: rows(withdrawCurrency),
});

/** What is withdrawn to where: parameters of draw, and of a code for it. */
export const drawParams = {
  draw_currency_id: chosen,
  /** USD. */
  number: params.decimalIfSent(toUsd),
  memo: params.optionalText(),
  /** The saved payout method. */
  draw_method_id: chosen,
};

/** The sent code, where getBasicInfo has `draw_verify`. */
const smsCode = params.optionalText(64);

/** Requests a withdrawal, whose amount the server freezes immediately. */
export const submitWithdrawal = call({
  method: 'POST',
  body: 'form',
  path: '/api/account/draw',
  access: 'real',
  effect: 'once',
  request: 'withdrawal',
  movesMoney: true,
  confirms: true,
  params: { ...drawParams, sms_code: smsCode },
  answer: created,
});

const currency = { id, code: text, protocol: text };

const withdrawal = v.pipe(
  v.object({
    id,
    /** Amount taken from the balance. */
    number: amount(readUsd),
    /** Amount paid out, in the currency. */
    real_number: amount(readCurrencyAmount),
    draw_currency: lenient(v.object({ ...currency, id: wholeOrZero }), undefined),
    /** USD, part of `number`. */
    fee: amountOrZero(readUsd),
    /** In the user's language. */
    status_name: text,
    created_at: time,
    /** 1 coin, with `address`; otherwise bank, with `payee_account`. */
    type: kindOf(MONEY_TYPES),
    address: text,
    payee_account: text,
    /** Why it was rejected, otherwise the user's own remark. */
    notes: text,
  }),
  v.title('WithdrawRecord'),
  v.transform(({ id, number, fee, address, notes, ...row }) => ({
    ...{ id, number, fee, address, notes },
    kind: row.type,
    received: row.real_number,
    currency: row.draw_currency?.code ?? '',
    statusName: row.status_name,
    createdAt: row.created_at,
    payeeAccount: row.payee_account,
  })),
);

/** A withdrawal, as it is sent. */
export type WithdrawalRow = Sent<typeof withdrawal>;

/** A withdrawal (protocol.md#withdraw-record). */
export type Withdrawal = Read<typeof withdrawal>;

/** Withdrawals of a kind, newest first. */
export const withdrawalList = call({
  method: 'GET',
  path: '/api/account/draw_list',
  access: 'real',
  effect: 'reads',
  params: { type: optionalKind, page: params.page },
  answer: page(withdrawal),
});

const payoutMethod = v.pipe(
  v.object({
    id,
    /** 1 coin, 2 bank; texts of the other kind are empty. */
    draw_type: kindOf(MONEY_TYPES),
    dc_address: text,
    bank_name: text,
    bank_address: text,
    bank_swift: text,
    branch_name: text,
    payee_name: text,
    payee_account: text,
    remark: text,
    /** `code`: the currency that the payee gets. */
    draw_currency: v.object(currency),
    /** Money is sent to a new one from this time on; empty or missing: at any time. */
    usable_at: optionalTime,
  }),
  v.title('PayoutMethod'),
  v.transform((row) => ({
    id: row.id,
    kind: row.draw_type,
    currency: row.draw_currency,
    usableAt: row.usable_at,
    address: row.dc_address,
    bankName: row.bank_name,
    bankAddress: row.bank_address,
    bankSwift: row.bank_swift,
    branchName: row.branch_name,
    payeeName: row.payee_name,
    payeeAccount: row.payee_account,
    remark: row.remark,
  })),
);

/** A saved payout method, as it is sent. */
export type PayoutMethodRow = Sent<typeof payoutMethod>;

/** A saved payout method (protocol.md#payout-method). */
export type PayoutMethod = Read<typeof payoutMethod>;

const anyKind = v.pipe(
  params.oneOf(0, MONEY_TYPES.coin, MONEY_TYPES.bank),
  v.transform((type): MoneyKind | undefined => {
    return type === 0 ? undefined : type === MONEY_TYPES.coin ? 'coin' : 'bank';
  }),
);

/** Both filters may be 0: any. */
export const payoutMethods = call({
  method: 'GET',
  path: '/api/wallet/get_draw_method',
  access: 'real',
  effect: 'reads',
  params: {
    draw_type: params.optional(anyKind, undefined),
    /** The currency. */
    draw_id: chosen,
  },
  answer: rows(payoutMethod),
});

const line = params.optionalText(4 * MAX_LINE);

/** The payee: parameters of bind_draw_method, and of a code for it. Texts of the other kind are empty or missing. */
export const bindParams = {
  /** The currency. */
  draw_id: chosen,
  dc_address: line,
  bank_name: line,
  bank_address: line,
  bank_swift: line,
  branch_name: line,
  payee_name: line,
  payee_account: line,
  remark: line,
};

export const addPayoutMethod = call({
  method: 'POST',
  body: 'form',
  path: '/api/wallet/bind_draw_method',
  access: 'real',
  effect: 'once',
  request: 'payoutMethod',
  params: { ...bindParams, type: kindParam(MONEY_TYPES), sms_code: smsCode },
  answer: created,
});

export const deletePayoutMethod = call({
  method: 'POST',
  body: 'form',
  path: '/api/wallet/del_draw_method',
  access: 'real',
  effect: 'once',
  request: 'deletion',
  confirms: true,
  params: { id: params.id },
  answer: nothing,
});
