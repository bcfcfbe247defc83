/** Readers of the rows of deposits, withdrawals and payout methods (protocol.md#wallet-calls): undefined for a row that can't be trusted. */
import { sign, ZERO } from '../core/decimal';
import { type Fields, readFields, readInteger, readIsoTime, readText } from '../core/read';
import { readCurrencyAmount, readDecimal, readUsd, readUsdRate } from '../core/readAmounts';
import type { UsdRate } from '../core/units';
import type { Balance } from '../wallet/balance';
import {
  type BankAccount,
  type BankCurrency,
  type CoinNetwork,
  DEPOSIT_STATUSES,
  type Deposit,
  type MoneyKind,
  type PayoutMethod,
  type Withdrawal,
  type WithdrawCurrency,
} from '../wallet/wallet';
import { DEPOSIT_COIN, FEE_FIXED, KIND_COIN } from './wallet';

/** The answer of getBalance. */
export function readBalance(value: unknown): Balance | undefined {
  const fields = readFields(value);
  const balance = readUsd(fields?.['balance']);
  const lockBalance = readUsd(fields?.['lock_balance']);
  return balance && lockBalance && { balance, lockBalance };
}

export function readCoinNetwork(row: unknown): CoinNetwork | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const address = text(fields, 'address');
  const usdPrice = readRate(fields?.['usd_price']);
  // An address is required: coins are sent to it.
  if (id === undefined || address === '' || !usdPrice) return undefined;
  return {
    id,
    currency: text(fields, 'currency_code'),
    protocol: text(fields, 'protocol_code'),
    address,
    usdPrice,
  };
}

export function readBankCurrency(row: unknown): BankCurrency | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const usdPrice = readRate(fields?.['usd_price']);
  if (id === undefined || !usdPrice) return undefined;
  return { id, name: text(fields, 'name'), usdPrice };
}

export function readBankAccount(row: unknown): BankAccount | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const payeeAccount = text(fields, 'payee_account');
  if (id === undefined || payeeAccount === '') return undefined;
  return {
    id,
    bankName: text(fields, 'bank_name'),
    bankAddress: text(fields, 'bank_address'),
    bankSwift: text(fields, 'bank_swift'),
    payeeName: text(fields, 'payee_name'),
    payeeAccount,
    remark: text(fields, 'bank_remark'),
  };
}

export function readDeposit(row: unknown): Deposit | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const number = readCurrencyAmount(fields?.['number']);
  const status = DEPOSIT_STATUSES[readInteger(fields?.['status']) ?? -1];
  if (id === undefined || !number || !status) return undefined;
  return {
    id,
    kind: readInteger(fields?.['type']) === DEPOSIT_COIN ? 'coin' : 'bank',
    currency: text(fields, 'currency_code'),
    number,
    status,
    createdAt: readIsoTime(fields?.['created_at']),
    remark: text(fields, 'remark'),
  };
}

export function readWithdrawCurrency(row: unknown): WithdrawCurrency | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const fee = readDecimal(fields?.['draw_rate']);
  const feeType = readInteger(fields?.['fee_type']);
  const usdPrice = readRate(fields?.['usd_price']);
  if (id === undefined || !fee || sign(fee) < 0 || feeType === undefined || !usdPrice) {
    return undefined;
  }
  return {
    id,
    code: text(fields, 'code'),
    protocol: text(fields, 'protocol'),
    feeType: feeType === FEE_FIXED ? 'fixed' : 'rate',
    fee,
    usdPrice,
  };
}

export function readPayoutMethod(row: unknown): PayoutMethod | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const currency = readFields(fields?.['draw_currency']);
  const currencyId = readId(currency);
  if (id === undefined || currencyId === undefined) return undefined;
  return {
    id,
    kind: readKind(fields?.['draw_type']),
    currency: {
      id: currencyId,
      code: text(currency, 'code'),
      protocol: text(currency, 'protocol'),
    },
    usableAt: readIsoTime(fields?.['usable_at']),
    address: text(fields, 'dc_address'),
    bankName: text(fields, 'bank_name'),
    bankAddress: text(fields, 'bank_address'),
    bankSwift: text(fields, 'bank_swift'),
    branchName: text(fields, 'branch_name'),
    payeeName: text(fields, 'payee_name'),
    payeeAccount: text(fields, 'payee_account'),
    remark: text(fields, 'remark'),
  };
}

export function readWithdrawal(row: unknown): Withdrawal | undefined {
  const fields = readFields(row);
  const id = readId(fields);
  const number = readUsd(fields?.['number']);
  const received = readCurrencyAmount(fields?.['real_number']);
  if (id === undefined || !number || !received) return undefined;
  return {
    id,
    kind: readKind(fields?.['type']),
    number: number,
    received,
    currency: text(readFields(fields?.['draw_currency']), 'code'),
    fee: readUsd(fields?.['fee']) ?? ZERO,
    statusName: text(fields, 'status_name'),
    createdAt: readIsoTime(fields?.['created_at']),
    address: text(fields, 'address'),
    payeeAccount: text(fields, 'payee_account'),
    notes: text(fields, 'notes'),
  };
}

/** The id of a row that a call has made: submit, wire_submit, draw, bind_draw_method. */
export function readCreated(value: unknown): number | undefined {
  return readId(readFields(value));
}

function readId(fields: Fields | undefined): number | undefined {
  const id = readInteger(fields?.['id']);
  return id !== undefined && id > 0 ? id : undefined;
}

function readKind(value: unknown): MoneyKind {
  return readInteger(value) === KIND_COIN ? 'coin' : 'bank';
}

/** Undefined for a rate that is not above zero. */
function readRate(value: unknown): UsdRate | undefined {
  const rate = readUsdRate(value);
  return rate && sign(rate) > 0 ? rate : undefined;
}

function text(fields: Fields | undefined, name: string): string {
  return readText(fields?.[name]) ?? '';
}
