import { z } from 'zod';
import {
  DEPOSIT_BANK,
  DEPOSIT_COIN,
  FEE_FIXED,
  FEE_RATE,
  KIND_BANK,
  KIND_COIN,
} from '#domain/api/wallet';
import { codes, decimalText, isoTime, optionalIsoTime, text, whole } from './fields';

export const balance = z
  .object({ balance: decimalText, lock_balance: decimalText })
  .meta({ id: 'Balance' });

const financialRecord = z
  .object({
    Id: whole,
    Value: decimalText,
    Type: whole,
    Memo: text,
    MemoTran: text,
    CreatedAtTran: isoTime,
  })
  .meta({ id: 'FinancialRecord' });

export const recordPage = z.object({ list: z.array(financialRecord), total: whole });

export const coinNetwork = z
  .object({
    id: whole,
    currency_code: text,
    protocol_code: text,
    address: text,
    usd_price: decimalText,
  })
  .meta({ id: 'CoinNetwork' });

export const bankCurrency = z
  .object({ id: whole, name: text, usd_price: decimalText })
  .meta({ id: 'BankCurrency' });

export const bankAccount = z
  .object({
    id: whole,
    bank_name: text,
    bank_address: text,
    bank_swift: text,
    payee_name: text,
    payee_account: text,
    bank_remark: text,
  })
  .meta({ id: 'BankAccount' });

export const depositRecord = z
  .object({
    id: whole,
    number: decimalText,
    type: codes(DEPOSIT_COIN, DEPOSIT_BANK),
    currency_code: text,
    status: codes(0, 1, 2, 3),
    created_at: isoTime,
    remark: text,
  })
  .meta({ id: 'DepositRecord' });

export const withdrawCurrency = z
  .object({
    id: whole,
    code: text,
    protocol: text,
    draw_rate: decimalText,
    fee_type: codes(FEE_FIXED, FEE_RATE),
    usd_price: decimalText,
  })
  .meta({ id: 'WithdrawCurrency' });

const drawCurrency = z.object({ id: whole, code: text, protocol: text });

export const payoutMethod = z
  .object({
    id: whole,
    draw_type: codes(KIND_COIN, KIND_BANK),
    dc_address: text,
    bank_name: text,
    bank_address: text,
    bank_swift: text,
    branch_name: text,
    payee_name: text,
    payee_account: text,
    remark: text,
    draw_currency: drawCurrency,
    usable_at: optionalIsoTime,
  })
  .meta({ id: 'PayoutMethod' });

export const withdrawRecord = z
  .object({
    id: whole,
    number: decimalText,
    real_number: decimalText,
    draw_currency: drawCurrency,
    fee: decimalText,
    status_name: text,
    created_at: isoTime,
    type: codes(KIND_COIN, KIND_BANK),
    address: text,
    payee_account: text,
    notes: text,
  })
  .meta({ id: 'WithdrawRecord' });

export const created = z.object({ id: whole }).meta({ id: 'Created' });
