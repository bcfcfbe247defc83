import { computed } from '@preact/signals-core';
import { TriangleAlert } from 'lucide-react';
import { compare, decimal, parseDecimal } from '#domain/core/decimal';
import { STOP_OUT_RATIO } from '#domain/trading/accountFigures';
import { account } from '../gateway/trading';
import { formatExact } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { useValue } from '../signals';
import styles from './PrepaymentWarning.module.css';

/** The user is warned below these prepayment ratios in percent (domain.md#prepayment-ratio). */
const LOW = decimal(50n);
const CRITICAL = decimal(30n);

/** Changes only when a limit is crossed, not on each tick. */
const prepaymentState = computed<'low' | 'critical' | undefined>(() => {
  const ratio = parseDecimal(account.value?.prepaymentRatio);
  if (!ratio || compare(ratio, LOW) >= 0) return undefined;
  return compare(ratio, CRITICAL) < 0 ? 'critical' : 'low';
});

/** Warns that the account is close to a stop-out and says what helps. */
export function PrepaymentWarning() {
  const t = useT();
  const state = useValue(prepaymentState);
  if (!state) return null;
  return (
    <p className={styles.warning} role="alert" data-state={state}>
      <TriangleAlert size={20} aria-hidden="true" />
      {t(`account.prepayment.${state}`, {
        limit: formatExact(state === 'low' ? LOW : CRITICAL),
        stopOut: formatExact(STOP_OUT_RATIO),
      })}
    </p>
  );
}
