/** The part of the worker's contract about money that enters and leaves the account. */
import type { AddressKind } from '../account/address';
import type { CaptchaAnswer, SentCode } from '../account/settings';
import type { ListPage } from '../core/paging';
import type { Confirmed, Done, Result } from '../core/result';
import type { Balance } from '../wallet/balance';
import type { FinancialRecord } from '../wallet/record';
import type {
  BankAccount,
  BankCurrency,
  CoinNetwork,
  Deposit,
  MoneyKind,
  Payee,
  PayoutMethod,
  Withdrawal,
  WithdrawCurrency,
} from '../wallet/wallet';

/** A deposit as the user declares it (domain.md#deposit-form). */
export interface DepositInput {
  kind: MoneyKind;
  /** Id of the network, or of the bank account. */
  channelId: number;
  /** Amount in the deposited currency, a plain decimal. */
  number: string;
  /** Address of the uploaded proof. */
  proof: string;
  /** Address that the coins were sent to; empty for a bank transfer. */
  address: string;
}

/** A withdrawal as the user requests it (domain.md#withdrawal-form). */
export interface WithdrawalInput {
  currencyId: number;
  /** Id of the saved payout method. */
  methodId: number;
  /** USD, a plain decimal. */
  amount: string;
  remark: string;
  /** The code sent for exactly this withdrawal; empty where none is asked for. */
  code: string;
}

/** A payout method to save (domain.md#payout-method-form). Fields of the other kind are empty. */
export interface PayoutInput extends Payee {
  kind: MoneyKind;
  currencyId: number;
  /** The code sent for exactly this method; empty where none is asked for. */
  code: string;
}

/** What a code confirms: a withdrawal, or a payout method to save. */
export type Payout =
  | { withdrawal: Omit<WithdrawalInput, 'code'> }
  | { method: Omit<PayoutInput, 'code'> };

/**
 * Pages are 1-based; `domain/core/paging` says which page is the last. A failed
 * read is no event: the screen that asked shows it. Changing calls take the
 * idempotency key of the user's action, as TradingGateway's do; the server's text
 * for a deposit, a withdrawal and a deletion is a `notice` event.
 */
export interface WalletGateway {
  /** Available and frozen balance (protocol.md#balance), USD. */
  balance(): Promise<Result<Balance>>;
  /** Financial records, newest first (protocol.md#financial-records). */
  records(page: number): Promise<Result<ListPage<FinancialRecord>>>;

  coinNetworks(): Promise<Result<CoinNetwork[]>>;
  bankCurrencies(): Promise<Result<BankCurrency[]>>;
  /** Bank accounts that take deposits in a currency; empty where none does. */
  bankAccounts(currencyId: number): Promise<Result<BankAccount[]>>;
  deposits(kind: MoneyKind, page: number): Promise<Result<ListPage<Deposit>>>;
  /** Resolves to the deposit's id. */
  submitDeposit(deposit: DepositInput, key: string): Promise<Result<Done<number>>>;

  withdrawCurrencies(kind: MoneyKind): Promise<Result<WithdrawCurrency[]>>;
  withdrawals(kind: MoneyKind, page: number): Promise<Result<ListPage<Withdrawal>>>;
  /** Resolves to the withdrawal's id. The server freezes its amount immediately. */
  submitWithdrawal(withdrawal: WithdrawalInput, key: string): Promise<Result<Done<number>>>;
  /** Saved payout methods of a kind; `currencyId` 0: of all currencies. */
  payoutMethods(kind: MoneyKind, currencyId: number): Promise<Result<PayoutMethod[]>>;
  /** Resolves to the method's id. */
  bindPayoutMethod(method: PayoutInput, key: string): Promise<Result<Done<number>>>;
  /** Sends a code to the user's own address of this kind (protocol.md#sent-codes). Asked for only where `AccountSettings.drawVerify`. */
  sendPayoutCode(
    type: AddressKind,
    payout: Payout,
    captcha?: CaptchaAnswer,
  ): Promise<Result<SentCode>>;
  deletePayoutMethod(id: number, key: string): Promise<Result<Confirmed<void>>>;
}
