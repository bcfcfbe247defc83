import { computed } from '@preact/signals-core';
import { TriangleAlert } from 'lucide-react';
import { readPercent } from '#domain/core/readAmounts';
import { STOP_OUT_RATIO } from '#domain/trading/accountFigures';
import { MARGIN_LIMITS, type MarginState, marginState } from '#domain/trading/marginWarning';
import { account } from '../gateway/trading';
import { formatExact } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { useValue } from '../signals';
import styles from './PrepaymentWarning.module.css';

/** Changes only when a limit is crossed, not on each tick. */
const prepaymentState = computed<MarginState>(() => {
  const ratio = readPercent(account.value?.prepaymentRatio);
  return ratio && marginState(ratio);
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
        limit: formatExact(MARGIN_LIMITS[state]),
        stopOut: formatExact(STOP_OUT_RATIO),
      })}
    </p>
  );
}
