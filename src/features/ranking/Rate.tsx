import { type Decimal, sign } from '#domain/core/decimal';
import { formatAmount, formatRate } from '../../i18n/format';
import { directionOf } from '../../ui/direction';
import styles from './Rate.module.css';

/** A result in percent or USD with sign and colour. */
export function Rate({ value, unit }: { value: Decimal; unit: '%' | 'USD' }) {
  return (
    <span
      className={styles.rate}
      data-direction={directionOf(sign(value))}
      dir="ltr"
      translate="no"
    >
      {unit === '%' ? formatRate(value, 2, 'always') : formatAmount(value, 2, 'always')}
    </span>
  );
}
