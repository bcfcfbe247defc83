import { sign } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { percentOfMargin } from '#domain/trading/stops';
import { formatAmount } from '../../../i18n/format';
import { writeText } from '../../../ui/textCell';
import { trendOf } from '../../../ui/trend';

/**
 * A profit in USD with a sign, by default with six decimals (domain.md#rounding); with `margin` also
 * in percent of it.
 */
export function profitText(profit: Usd, margin?: Usd, decimals = PROFIT_SCALE): string {
  const amount = `${formatAmount(profit, decimals, 'always')} USD`;
  const percent = margin && percentOfMargin(profit, margin);
  return percent ? `${amount} (${formatAmount(percent, 2, 'always')} %)` : amount;
}

/** Writes a profit and its direction into a cell. */
export function writeProfit(
  cell: HTMLElement | null,
  profit: Usd | undefined,
  margin?: Usd,
  decimals?: number,
): void {
  writeText(cell, profit ? profitText(profit, margin, decimals) : '–');
  const trend = trendOf(profit ? sign(profit) : 0);
  if (cell && cell.dataset['trend'] !== trend) cell.dataset['trend'] = trend;
}
