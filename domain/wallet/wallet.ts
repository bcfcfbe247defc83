/** Money is deposited and withdrawn as a coin or by bank transfer (domain.md#wallet). */
export type MoneyKind = 'coin' | 'bank';

/** `type` of deposits on the wire, and of all else. */
export const DEPOSIT_TYPES = { coin: 0, bank: 1 } as const;
export const MONEY_TYPES = { coin: 1, bank: 2 } as const;

/** In the order of their numbers on the wire, 0 to 3 (domain.md#deposit-states). */
export const DEPOSIT_STATUSES = ['unchecked', 'finished', 'rejected', 'invalid'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** A withdrawal's fee is an amount in USD, or a share of what is withdrawn (domain.md#withdrawal-fee). */
export type WithdrawFeeType = 'fixed' | 'rate';

/** The most characters of a text field. */
export const MAX_LINE = 200;

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

export const EMPTY_PAYEE: Payee = {
  address: '',
  bankName: '',
  bankAddress: '',
  bankSwift: '',
  branchName: '',
  payeeName: '',
  payeeAccount: '',
  remark: '',
};
