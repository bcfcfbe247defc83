import type { Decimal } from '../core/decimal';
import type { UnixMs } from '../core/time';
import type { CurrencyAmount, Usd, UsdRate } from '../core/units';

/** Money is deposited and withdrawn as a coin or by bank transfer (domain.md#wallet). */
export type MoneyKind = 'coin' | 'bank';

/** A network that coins can be deposited over (protocol.md#coin-network). */
export interface CoinNetwork {
  id: number;
  currency: string;
  /** The network, as "TRC20". */
  protocol: string;
  /** The address to send the coins to. */
  address: string;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** A currency in which money can be wired (protocol.md#deposit-channels). */
export interface BankCurrency {
  id: number;
  name: string;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** The account that money is wired to (protocol.md#bank-account). */
export interface BankAccount {
  id: number;
  bankName: string;
  bankAddress: string;
  bankSwift: string;
  payeeName: string;
  payeeAccount: string;
  remark: string;
}

/** In the order of their numbers on the wire, 0 to 3 (domain.md#deposit-states). */
export const DEPOSIT_STATUSES = ['unchecked', 'finished', 'rejected', 'invalid'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** A deposit (protocol.md#deposit-record). */
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

/** A withdrawal's fee is an amount in USD, or a share of what is withdrawn (domain.md#withdrawal-fee). */
export type WithdrawFeeType = 'fixed' | 'rate';

/** A currency that can be paid out (protocol.md#withdraw-currency). */
export interface WithdrawCurrency {
  id: number;
  code: string;
  /** Empty for a bank's. */
  protocol: string;
  feeType: WithdrawFeeType;
  /** `draw_rate` on the wire: USD, or a fraction. */
  fee: Decimal;
  /** Units of the currency for one USD. */
  usdPrice: UsdRate;
}

/** Where a withdrawal goes (protocol.md#payout-method): a coin address, or a bank account. */
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

/** A saved payout method (protocol.md#payout-method). */
export interface PayoutMethod extends Payee {
  id: number;
  kind: MoneyKind;
  currency: { id: number; code: string; protocol: string };
  /** Money is sent to a new one from this time on; undefined: at any time. */
  usableAt: UnixMs | undefined;
}

/** A withdrawal (protocol.md#withdraw-record). */
export interface Withdrawal {
  id: number;
  kind: MoneyKind;
  /** Amount taken from the balance. */
  number: Usd;
  /** Amount paid out, in the currency. */
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
