import type { AddressKind } from '#domain/account/address';
import type { CaptchaAnswer } from '#domain/account/settings';
import { CODE_PAYOUT, sendEmail, sendSms } from '#domain/api/account';
import { readSentCode } from '#domain/api/read-account';
import { readPage } from '#domain/api/read-page';
import { readRecordPage } from '#domain/api/read-record';
import {
  readBalance,
  readBankAccount,
  readBankCurrency,
  readCoinNetwork,
  readCreated,
  readDeposit,
  readPayoutMethod,
  readWithdrawal,
  readWithdrawCurrency,
} from '#domain/api/read-wallet';
import * as api from '#domain/api/wallet';
import { readRows } from '#domain/core/read';
import type {
  DepositInput,
  Payout,
  PayoutInput,
  WalletGateway,
  WithdrawalInput,
} from '#domain/gateway/wallet';
import type { MoneyKind } from '#domain/wallet/wallet';
import type { IdempotentRequests } from '../requests/contract';
import { captchaParams } from './captcha';
import type { Http } from './client';

const kindOf = (kind: MoneyKind) => (kind === 'coin' ? api.KIND_COIN : api.KIND_BANK);
const chargeOf = (kind: MoneyKind) => (kind === 'coin' ? api.DEPOSIT_COIN : api.DEPOSIT_BANK);

type WalletReads = Pick<
  WalletGateway,
  | 'balance'
  | 'records'
  | 'coinNetworks'
  | 'bankCurrencies'
  | 'bankAccounts'
  | 'deposits'
  | 'withdrawCurrencies'
  | 'withdrawals'
  | 'payoutMethods'
>;

/** The calls that only read (protocol.md#wallet-calls). */
export function walletReads(http: Http): WalletReads {
  const quiet = { quiet: true };
  return {
    balance: () => http.get(api.balance, {}, readBalance, quiet),
    records: (page) => http.get(api.recordList, { page }, readRecordPage, quiet),
    coinNetworks: () =>
      http.get(api.coinNetworks, {}, (data) => readRows(data, readCoinNetwork), quiet),
    bankCurrencies: () =>
      http.get(api.bankCurrencies, {}, (data) => readRows(data, readBankCurrency), quiet),
    bankAccounts: (currencyId) =>
      http.get(
        api.bankAccounts,
        { bank_coin: currencyId },
        (data) => readRows(data, readBankAccount),
        quiet,
      ),
    deposits: (kind, page) =>
      http.get(
        api.depositList,
        { type: chargeOf(kind), page },
        (data) => readPage(data, readDeposit),
        quiet,
      ),
    withdrawCurrencies: (kind) =>
      http.get(
        api.withdrawCurrencies,
        { type: kindOf(kind) },
        (data) => readRows(data, readWithdrawCurrency),
        quiet,
      ),
    withdrawals: (kind, page) =>
      http.get(
        api.withdrawalList,
        { type: kindOf(kind), page },
        (data) => readPage(data, readWithdrawal),
        quiet,
      ),
    payoutMethods: (kind, currencyId) =>
      http.get(
        api.payoutMethods,
        { draw_type: kindOf(kind), draw_id: currencyId },
        (data) => readRows(data, readPayoutMethod),
        quiet,
      ),
  };
}

/** Declares a deposit (protocol.md#deposits). */
export function submitDeposit(requests: IdempotentRequests, deposit: DepositInput, key: string) {
  const { kind, channelId, number, proof, address } = deposit;
  const base = { number, proofImg: proof };
  const sending = { key, subject: { kind: 'deposit' } } as const;
  return kind === 'coin'
    ? requests.send(
        api.submitCoinDeposit,
        { ...base, address, charge_id: channelId },
        readCreated,
        sending,
      )
    : requests.send(api.submitBankDeposit, { ...base, wire_id: channelId }, readCreated, sending);
}

/** Requests a withdrawal (protocol.md#withdrawals). */
export function submitWithdrawal(
  requests: IdempotentRequests,
  withdrawal: WithdrawalInput,
  key: string,
) {
  const params = { ...drawParams(withdrawal), ...smsCode(withdrawal) };
  return requests.send(api.submitWithdrawal, params, readCreated, {
    key,
    subject: { kind: 'withdrawal' },
  });
}

function drawParams(withdrawal: Omit<WithdrawalInput, 'code'>) {
  return {
    draw_currency_id: withdrawal.currencyId,
    number: withdrawal.amount,
    memo: withdrawal.remark,
    draw_method_id: withdrawal.methodId,
  };
}

const smsCode = ({ code }: { code: string }) => (code ? { sms_code: code } : {});

/** Saves a payout method (protocol.md#payout-methods). */
export function bindPayoutMethod(requests: IdempotentRequests, method: PayoutInput, key: string) {
  const type = kindOf(method.kind);
  const params: api.BindParams = { type, ...bindParams(method), ...smsCode(method) };
  return requests.send(api.addPayoutMethod, params, readCreated, {
    key,
    subject: { kind: 'payoutMethod' },
  });
}

/** The kind follows from the currency. */
function bindParams(method: Omit<PayoutInput, 'code'>): Omit<api.BindParams, 'type'> {
  const base = { draw_id: method.currencyId, remark: method.remark };
  return method.kind === 'coin'
    ? { ...base, dc_address: method.address }
    : {
        ...base,
        bank_name: method.bankName,
        bank_address: method.bankAddress,
        bank_swift: method.bankSwift,
        branch_name: method.branchName,
        payee_name: method.payeeName,
        payee_account: method.payeeAccount,
      };
}

/** Sends a code for a payout, which carries the payout's parameters (protocol.md#sent-codes). */
export function sendPayoutCode(
  http: Http,
  type: AddressKind,
  payout: Payout,
  captcha: CaptchaAnswer | undefined,
) {
  const subject = 'method' in payout ? bindParams(payout.method) : drawParams(payout.withdrawal);
  const own = { to: '', area_id: 0, type: CODE_PAYOUT } as const;
  const params = { ...own, ...captchaParams(captcha), ...subject };
  return http.send(type === 'email' ? sendEmail : sendSms, params, readSentCode);
}

/** Deletes a payout method (protocol.md#payout-methods). */
export async function deletePayoutMethod(requests: IdempotentRequests, id: number, key: string) {
  const result = await requests.send(api.deletePayoutMethod, { id }, () => true, {
    key,
    subject: { kind: 'deletion' },
  });
  return result.ok ? { ...result, data: { text: result.data.text, data: undefined } } : result;
}
