import { type Decimal, sign } from '#domain/core/decimal';
import { formatAmount, formatRate } from '../../i18n/format';
import { trendOf } from '../../ui/trend';
import styles from './Rate.module.css';

/** A result in percent or USD with sign and colour. */
export function Rate({ value, unit }: { value: Decimal; unit: '%' | 'USD' }) {
  return (
    <span className={styles.rate} data-trend={trendOf(sign(value))} dir="ltr" translate="no">
      {unit === '%' ? formatRate(value, 2, 'always') : formatAmount(value, 2, 'always')}
    </span>
  );
}
