import { TriangleAlert } from 'lucide-react';
import { STOP_OUT_RATIO } from '#domain/trading/accountSummary';
import { MARGIN_LIMITS } from '#domain/trading/marginWarning';
import { formatExact } from '../i18n/format';
import { useT } from '../i18n/i18n';
import { useValue } from '../useValue';
import { accountRisk } from './accountRisk';
import styles from './MarginLevelWarning.module.css';

/** Warns that the account is close to a stop-out and says what helps. */
export function MarginLevelWarning() {
  const t = useT();
  const state = useValue(accountRisk);
  if (!state) return null;
  return (
    <p className={styles.warning} role="alert" data-state={state}>
      <TriangleAlert size={20} />
      {t(`account.prepayment.${state}`, {
        limit: formatExact(MARGIN_LIMITS[state]),
        stopOut: formatExact(STOP_OUT_RATIO),
      })}
    </p>
  );
}
