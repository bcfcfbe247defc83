import { readPage } from '#domain/api/read-page';
import { readRecordPage } from '#domain/api/read-record';
import {
  readBankAccount,
  readBankCurrency,
  readCoinNetwork,
  readCreated,
  readDeposit,
  readPayoutMethod,
  readWithdrawal,
  readWithdrawCurrency,
} from '#domain/api/read-wallet';
import {
  type BindParams,
  CHARGE_BANK,
  CHARGE_COIN,
  type ChargeParams,
  type DrawParams,
  KIND_BANK,
  KIND_COIN,
  type WireParams,
} from '#domain/api/wallet';
import { readRows } from '#domain/core/read';
import type {
  DepositInput,
  PayoutInput,
  WalletGateway,
  WithdrawalInput,
} from '#domain/gateway/wallet';
import type { MoneyKind } from '#domain/wallet/wallet';
import type { Http } from './client';
import type { IdempotentRequests } from './idempotentRequests';

const kindOf = (kind: MoneyKind) => (kind === 'coin' ? KIND_COIN : KIND_BANK);
const chargeOf = (kind: MoneyKind) => (kind === 'coin' ? CHARGE_COIN : CHARGE_BANK);

type WalletReads = Pick<
  WalletGateway,
  | 'records'
  | 'coinNetworks'
  | 'bankCurrencies'
  | 'bankAccounts'
  | 'deposits'
  | 'withdrawCurrencies'
  | 'withdrawals'
  | 'payoutMethods'
>;

/** What §7 *Funds* only reads. */
export function walletReads(http: Http): WalletReads {
  const quiet = true;
  return {
    records: (page) =>
      http.get(
        { path: '/v1/api/main/accountLog/forexChange', params: { page }, quiet },
        readRecordPage,
      ),
    coinNetworks: () =>
      http.get({ path: '/api/quickCharge/symbols', quiet }, (data) =>
        readRows(data, readCoinNetwork),
      ),
    bankCurrencies: () =>
      http.get({ path: '/api/quickCharge/info', quiet }, (data) =>
        readRows(data, readBankCurrency),
      ),
    bankAccounts: (currencyId) =>
      http.get(
        { path: '/api/quickCharge/wire_info', params: { bank_coin: currencyId }, quiet },
        (data) => readRows(data, readBankAccount),
      ),
    deposits: (kind, page) =>
      http.get(
        { path: '/api/quickCharge/quick_ist', params: { type: chargeOf(kind), page }, quiet },
        (data) => readPage(data, readDeposit),
      ),
    withdrawCurrencies: (kind) =>
      http.get(
        { path: '/api/account/draw_symbol_list', params: { type: kindOf(kind) }, quiet },
        (data) => readRows(data, readWithdrawCurrency),
      ),
    withdrawals: (kind, page) =>
      http.get(
        { path: '/api/account/draw_list', params: { type: kindOf(kind), page }, quiet },
        (data) => readPage(data, readWithdrawal),
      ),
    payoutMethods: (kind) =>
      http.get(
        { path: '/api/wallet/get_draw_method', params: { draw_type: kindOf(kind) }, quiet },
        (data) => readRows(data, readPayoutMethod),
      ),
  };
}

/** GET quickCharge/submit or wire_submit (§7). */
export function submitDeposit(requests: IdempotentRequests, deposit: DepositInput, key: string) {
  const { kind, channelId, number, proof, address } = deposit;
  const coin: ChargeParams = { number, proofImg: proof, address, charge_id: channelId };
  const wire: WireParams = { number, proofImg: proof, wire_id: channelId };
  const call =
    kind === 'coin'
      ? { path: '/api/quickCharge/submit', params: { ...coin } }
      : { path: '/api/quickCharge/wire_submit', params: { ...wire } };
  return requests.send({ method: 'GET', ...call, key }, readCreated);
}

/** POST account/draw (§7). */
export function submitWithdrawal(
  requests: IdempotentRequests,
  withdrawal: WithdrawalInput,
  key: string,
) {
  const form: DrawParams = {
    draw_currency_id: withdrawal.currencyId,
    number: withdrawal.amount,
    memo: withdrawal.remark,
    draw_method_id: withdrawal.methodId,
  };
  return requests.send(
    { method: 'POST', path: '/api/account/draw', form: { ...form }, key },
    readCreated,
  );
}

/** POST bind_draw_method (§7). */
export function bindPayoutMethod(requests: IdempotentRequests, method: PayoutInput, key: string) {
  const { currencyId, kind, remark } = method;
  const base: BindParams = { draw_id: currencyId, type: kindOf(kind), remark };
  const form: BindParams =
    method.kind === 'coin'
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
  return requests.send(
    { method: 'POST', path: '/api/wallet/bind_draw_method', form: { ...form }, key },
    readCreated,
  );
}

/** POST del_draw_method (§7). */
export async function deletePayoutMethod(requests: IdempotentRequests, id: number, key: string) {
  const result = await requests.send(
    { method: 'POST', path: '/api/wallet/del_draw_method', form: { id }, key },
    () => true,
  );
  return result.ok ? { ...result, data: { text: result.data.text, data: undefined } } : result;
}
