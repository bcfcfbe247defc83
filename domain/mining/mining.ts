import { type Decimal, decimal, multiply, round, shiftDown, subtract } from '../core/decimal';
import { CENTS, type UnixMs, type Usd } from '../core/units';

/** Decimals of a daily profit (§9). */
export const DAILY_PROFIT_SCALE = 4;
/** Between two payments of a daily profit. */
export const DAY_MS = 86_400_000;

/** `percent` of `amount`, rounded once. */
function share(percent: Decimal, amount: Decimal, scale: number): Decimal {
  const hundredfold = multiply(percent, amount);
  return round(shiftDown(hundredfold, 2), scale);
}

/** Daily profit in USD, four decimals (§9): dividend_percentage × amount / 100. */
export function dailyProfit(dividendPercentage: Decimal, amount: Usd): Usd {
  return share(dividendPercentage, amount, DAILY_PROFIT_SCALE) as Usd;
}

/** Profit of the whole term in USD (§9, protocol.md): days × the rounded daily profit. */
export function totalProfit(lockDays: number, daily: Usd): Usd {
  return multiply(decimal(BigInt(lockDays)), daily) as Usd;
}

/** Penalty of an early redemption in USD, cents (§9, protocol.md): amount × liquidated_damages / 100. */
export function redemptionPenalty(liquidatedDamages: Decimal, amount: Usd): Usd {
  return share(liquidatedDamages, amount, CENTS) as Usd;
}

/** What an early redemption returns, in USD (protocol.md): amount − penalty. */
export function redeemed(liquidatedDamages: Decimal, amount: Usd): Usd {
  return subtract(amount, redemptionPenalty(liquidatedDamages, amount)) as Usd;
}

/** Whole days of the term that have passed at `now`: so many daily profits are due (D47). */
export function daysPassed(since: UnixMs, now: UnixMs, lockDays: number): number {
  return Math.min(lockDays, Math.max(0, Math.floor((now - since) / DAY_MS)));
}
