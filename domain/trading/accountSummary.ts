import {
  add,
  compare,
  decimal,
  isZero,
  maximum,
  minimum,
  multiply,
  quotient,
  ZERO,
} from '../core/decimal';
import { type Percent, toPercent, type Usd } from '../core/units';

/** The amounts that the summary of an account is computed from, USD. */
export interface AccountTotals {
  /** May be negative while orders are held (domain.md#negative-balance). */
  balance: Usd;
  /** Margins of pending orders and positions. */
  marginInUse: Usd;
  /** Floating profit of the positions. */
  profit: Usd;
}

const HUNDRED = decimal(100);
/** Decimals of the two ratios, in percent. A stop-out compares before rounding. */
const PERCENT_SCALE = 2;
/** `part` of `whole` in percent, two decimals. Throws RangeError for a `whole` of 0. */
export function percentOf(part: Usd, whole: Usd): Percent {
  return toPercent(quotient(multiply(part, HUNDRED), whole, PERCENT_SCALE));
}

/** The margin level in percent at which orders are stopped out (domain.md#stop-out). */
export const STOP_OUT_RATIO = decimal(20);

/** The wire's balance + margin in use: the account without its floating profit (domain.md#account-balance), USD. */
export function accountBalance(account: Omit<AccountTotals, 'profit'>): Usd {
  return add(account.balance, account.marginInUse);
}

/** Account balance + floating profit (domain.md#equity), USD. */
export function equity(account: AccountTotals): Usd {
  return add(accountBalance(account), account.profit);
}

/** max(0, balance + min(0, floating profit)) (domain.md#available-balance), USD: what orders, withdrawals and subscriptions may take. */
export function available(account: AccountTotals): Usd {
  return maximum(add(account.balance, minimum(account.profit, ZERO)), ZERO);
}

/** Margin in use / equity in percent (domain.md#risk-rate); undefined with no margin in use, or an equity of 0. */
export function riskRate(account: AccountTotals): Percent | undefined {
  const net = equity(account);
  if (isZero(account.marginInUse) || isZero(net)) return undefined;
  return percentOf(account.marginInUse, net);
}

/** Equity / margin in use in percent (domain.md#margin-level); undefined with no margin in use. */
export function marginLevel(account: AccountTotals): Percent | undefined {
  if (isZero(account.marginInUse)) return undefined;
  return percentOf(equity(account), account.marginInUse);
}

/** Whether the margin level, unrounded, is 20 % or less (domain.md#stop-out). */
export function isStoppedOut(account: AccountTotals): boolean {
  return (
    !isZero(account.marginInUse) &&
    compare(multiply(equity(account), HUNDRED), multiply(account.marginInUse, STOP_OUT_RATIO)) <= 0
  );
}
