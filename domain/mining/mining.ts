import { decimal, multiply, product, round, shiftDown, subtract } from '../core/decimal';
import { DAY_MS, timeBetween, type UnixMs } from '../core/time';
import { CENTS, type Percent, toUsd, type Usd } from '../core/units';

/** Decimals of a daily profit (domain.md#daily-profit). */
export const DAILY_PROFIT_SCALE = 4;

/** `percent` of `amount`, rounded once. */
function share(percent: Percent, amount: Usd, scale: number): Usd {
  return toUsd(round(shiftDown(product(percent, amount), 2), scale));
}

/** Daily profit in USD, four decimals (domain.md#daily-profit): dividend_percentage × amount / 100. */
export function dailyProfit(dividendPercentage: Percent, amount: Usd): Usd {
  return share(dividendPercentage, amount, DAILY_PROFIT_SCALE);
}

/**
 * Rate of a year in percent (domain.md#yearly-rate): 365 days of the daily rate, because profits are paid out and not
 * added to the amount. Exact.
 */
export function yearlyRate(dividendPercentage: Percent): Percent {
  return multiply(dividendPercentage, decimal(365));
}

/** Profit of the whole term in USD (domain.md#total-profit): days × the rounded daily profit. */
export function totalProfit(lockDays: number, daily: Usd): Usd {
  return multiply(daily, decimal(lockDays));
}

/** Penalty of an early redemption in USD, cents (domain.md#redemption): amount × liquidated_damages / 100. */
export function redemptionPenalty(liquidatedDamages: Percent, amount: Usd): Usd {
  return share(liquidatedDamages, amount, CENTS);
}

/** What an early redemption returns, in USD (domain.md#redemption): amount − penalty. */
export function redeemed(liquidatedDamages: Percent, amount: Usd): Usd {
  return subtract(amount, redemptionPenalty(liquidatedDamages, amount));
}

/** Whole days of the term between `since` and `now`: the number of daily profits due by then. */
export function daysPassed(since: UnixMs, now: UnixMs, lockDays: number): number {
  return Math.min(lockDays, Math.max(0, Math.floor(timeBetween(since, now) / DAY_MS)));
}
