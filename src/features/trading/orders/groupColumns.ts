import { round, sign } from '#domain/core/decimal';
import { CENTS, type Usd } from '#domain/core/units';
import { formatAmount } from '../../../i18n/format';
import { directionOf } from '../../../ui/direction';
import { writeText } from '../../../ui/textCell';

/** The columns of the positions by instrument. */
export const GROUP_COLUMNS = [
  'side',
  'lots',
  'net',
  'price',
  'latest',
  'liquidation',
  'exits',
  'margin',
] as const;

/** Writes a profit net of fees and its direction into a cell. */
export function writeNet(cell: HTMLElement | null, net: Usd | undefined): void {
  writeText(cell, net ? formatAmount(net, CENTS, 'always') : '–');
  const direction = directionOf(net ? sign(round(net, CENTS)) : 0);
  if (cell && cell.dataset['direction'] !== direction) cell.dataset['direction'] = direction;
}
