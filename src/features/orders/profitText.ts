import { type Decimal, sign } from '#domain/decimal';
import { PROFIT_SCALE } from '#domain/profit';
import { formatAmount } from '../../i18n/format';
import { writeText } from '../../ui/textCell';

/** A profit as §9 has it: six decimals, a sign, USD. */
export function profitText(profit: Decimal): string {
  return `${formatAmount(profit, PROFIT_SCALE, 'always')} USD`;
}

/** Writes a profit and which way it goes into a cell. */
export function writeProfit(cell: HTMLElement | null, profit: Decimal | undefined): void {
  writeText(cell, profit ? profitText(profit) : '–');
  const trend = ['down', 'flat', 'up'][profit ? sign(profit) + 1 : 1] ?? 'flat';
  if (cell && cell.dataset['trend'] !== trend) cell.dataset['trend'] = trend;
}
