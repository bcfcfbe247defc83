/** The part of the worker's contract about deposits, withdrawals, payout methods and financial records. */

import type { ListPage } from '../core/paging';
import type { Done, Result } from '../core/result';
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

/** A deposit as the user declares it; the rules of `wallet/rules` hold. */
export interface DepositInput {
  kind: MoneyKind;
  /** Id of the network, or of the bank account. */
  channelId: number;
  /** Of the currency, a plain decimal. */
  number: string;
  /** Address of the uploaded proof. */
  proof: string;
  /** Where the coins were sent to; empty for a bank's. */
  address: string;
}

/** A withdrawal as the user asks for it; the rules of `wallet/rules` hold. */
export interface WithdrawalInput {
  currencyId: number;
  /** Id of the saved address or account. */
  methodId: number;
  /** USD, a plain decimal. */
  amount: string;
  remark: string;
}

/** An address or account to be saved; texts of the other kind are empty. */
export interface PayoutInput extends Payee {
  kind: MoneyKind;
  currencyId: number;
}

/**
 * Pages are 1-based; `isFinished` says which is the last (protocol.md#lists). A failed read
 * is no event: the screen that asked shows it. Changing calls take an idempotency key, as
 * TradingGateway's do; the server's text for a deposit, a withdrawal and a deletion comes as
 * a `notice` (screens.md#messages).
 */
export interface WalletGateway {
  /** Financial records, newest first (forexChange). */
  records(page: number): Promise<Result<ListPage<FinancialRecord>>>;

  coinNetworks(): Promise<Result<CoinNetwork[]>>;
  bankCurrencies(): Promise<Result<BankCurrency[]>>;
  /** Accounts to wire money of a currency to; none: it can't be (§5). */
  bankAccounts(currencyId: number): Promise<Result<BankAccount[]>>;
  deposits(kind: MoneyKind, page: number): Promise<Result<ListPage<Deposit>>>;
  /** Resolves to the deposit's id. */
  submitDeposit(deposit: DepositInput, key: string): Promise<Result<Done<number>>>;

  withdrawCurrencies(kind: MoneyKind): Promise<Result<WithdrawCurrency[]>>;
  withdrawals(kind: MoneyKind, page: number): Promise<Result<ListPage<Withdrawal>>>;
  /** Resolves to the withdrawal's id; its amount is frozen at once. */
  submitWithdrawal(withdrawal: WithdrawalInput, key: string): Promise<Result<Done<number>>>;
  /** The saved ones of a kind, of all currencies. */
  payoutMethods(kind: MoneyKind): Promise<Result<PayoutMethod[]>>;
  /** Resolves to the method's id. */
  bindPayoutMethod(method: PayoutInput, key: string): Promise<Result<Done<number>>>;
  deletePayoutMethod(id: number, key: string): Promise<Result<Done<void>>>;
}
