import type { Fund } from '#domain/api/mining';
import type { Decimal } from '#domain/core/decimal';
import { DAILY_PROFIT_SCALE, yearlyRate } from '#domain/mining/mining';
import { formatAmount, formatRate } from '../../i18n/format';

/** The rate of a year (domain.md#yearly-rate), with two decimals. */
export function yearlyText(fund: Fund): string {
  return formatRate(yearlyRate(fund.dividendPercentage), 2);
}

/** An amount in the currency of its fund. */
export function moneyText(amount: Decimal, currency: string): string {
  return `${formatAmount(amount, 2)} ${currency}`;
}

/** A profit with four decimals (domain.md#daily-profit). */
export function profitText(profit: Decimal, currency: string): string {
  return `${formatAmount(profit, DAILY_PROFIT_SCALE, 'always')} ${currency}`;
}
