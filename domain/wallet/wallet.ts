import type { Decimal } from '../core/decimal';
import type { CurrencyAmount, UnixMs, Usd, UsdRate } from '../core/units';

/** Money comes and goes as a coin or through a bank (§2, the switch of charge and withdraw). */
export type MoneyKind = 'coin' | 'bank';

/** §3 Coin deposit network. */
export interface CoinNetwork {
  id: number;
  currency: string;
  /** The network, as "TRC20". */
  protocol: string;
  /** Where the coins are to be sent. */
  address: string;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** §3 Bank for deposit: a currency in which money can be wired. */
export interface BankCurrency {
  id: number;
  name: string;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** §3 Bank for deposit: the account that money is wired to. */
export interface BankAccount {
  id: number;
  bankName: string;
  bankAddress: string;
  bankSwift: string;
  payeeName: string;
  payeeAccount: string;
  remark: string;
}

/** §3 Charge record, status 0 to 3. */
export const DEPOSIT_STATUSES = ['unchecked', 'finished', 'rejected', 'invalid'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** §3 Charge record, read. */
export interface Deposit {
  id: number;
  kind: MoneyKind;
  currency: string;
  /** Of the currency. */
  number: CurrencyAmount;
  status: DepositStatus;
  createdAt: UnixMs | undefined;
  remark: string;
}

/** A withdrawal's fee is an amount in USD, or a share of what is withdrawn (§5). */
export type WithdrawFeeType = 'fixed' | 'rate';

/** §3 Withdraw currency. */
export interface WithdrawCurrency {
  id: number;
  code: string;
  /** Empty for a bank's. */
  protocol: string;
  feeType: WithdrawFeeType;
  /** §3 draw_rate: USD, or a fraction. */
  fee: Decimal;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** Where a withdrawal goes (§3 Withdraw method): a coin address, or a bank account. */
export interface Payee {
  address: string;
  bankName: string;
  bankAddress: string;
  bankSwift: string;
  branchName: string;
  payeeName: string;
  payeeAccount: string;
  remark: string;
}

/** §3 Withdraw method, read. */
export interface PayoutMethod extends Payee {
  id: number;
  kind: MoneyKind;
  currency: { id: number; code: string; protocol: string };
}

/** §3 Withdraw record, read. */
export interface Withdrawal {
  id: number;
  kind: MoneyKind;
  /** What left the balance. */
  number: Usd;
  /** What arrives, in the currency. */
  received: CurrencyAmount;
  currency: string;
  fee: Usd;
  /** In the user's language. */
  statusName: string;
  createdAt: UnixMs | undefined;
  address: string;
  payeeAccount: string;
  notes: string;
}
