/** The part of the worker's contract about what is asked for page by page: wallet, mining, news, traders, companies. */

import type { Company } from '../companies/company';
import type { ListPage } from '../core/paging';
import type { Done, Result } from '../core/result';
import type { Fund, Income, Subscription } from '../mining/fund';
import type { NewsArticle, NewsItem } from '../news/news';
import type { Trader } from '../ranking/trader';
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

/** A deposit as the user declares it; the rules of `rules/wallet` hold. */
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

/** A withdrawal as the user asks for it; the rules of `rules/wallet` hold. */
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
 * Pages are 1-based; `domain/paging` says which is the last (§4). Failures of
 * what is only read are not told as events: the screen that asked shows them.
 * Changing calls take the key of the tap, as TradingGateway's do; the server's
 * words for a deposit, a withdrawal and a deletion come as a `notice` (§8).
 */
export interface FundsGateway {
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

  funds(page: number): Promise<Result<ListPage<Fund>>>;
  fund(id: number): Promise<Result<Fund>>;
  /** Takes `amount`, USD as a plain decimal, at once. */
  subscribe(fundId: number, amount: string, key: string): Promise<Result<Done<Subscription>>>;
  subscriptions(page: number): Promise<Result<ListPage<Subscription>>>;
  /** The daily profits that a subscription was paid. */
  incomes(subscriptionId: number, page: number): Promise<Result<ListPage<Income>>>;
  /** Asks for an early redemption (applyRefund). */
  redeem(subscriptionId: number, key: string): Promise<Result<Done<Subscription>>>;

  news(page: number): Promise<Result<ListPage<NewsItem>>>;
  /** Behind the click-blocking spinner (§7). */
  newsArticle(id: number): Promise<Result<NewsArticle>>;
  traders(page: number): Promise<Result<ListPage<Trader>>>;
  /** Service providers whose name contains `name`; all where it is empty. */
  companies(name: string): Promise<Result<Company[]>>;
}
