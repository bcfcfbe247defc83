import { computed } from '@preact/signals-core';
import { Eye, EyeOff } from 'lucide-react';
import { parseDecimal } from '#domain/core/decimal';
import { link } from '../../gateway/pump';
import { account } from '../../gateway/trading';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { stored } from '../../session/stored';
import { useValue } from '../../signals';
import { IconButton } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { Skeleton } from '../../ui/Skeleton';
import styles from './UserScreen.module.css';

/** Whether the user has hidden the balance from people nearby. */
const hidden = stored('balance-hidden', false, (value) => value === true);
const HIDDEN = '••••••';

// Account figures change on every tick; these two don't.
const balance = computed(() => account.value?.balance);
const frozen = computed(() => account.value?.lockBalance);

/**
 * The available and the frozen balance (domain.md#balance), with two decimals (domain.md#rounding).
 */
export function BalanceCard() {
  const t = useT();
  const hide = useValue(hidden);
  const offline = useValue(link).state === 'offline';
  const Icon = hide ? Eye : EyeOff;
  const shown = (text: string | undefined) => {
    const amount = parseDecimal(text);
    // Figures are not kept: nothing is on its way.
    if (!amount) return offline ? '–' : undefined;
    return hide ? HIDDEN : formatAmount(amount, 2);
  };
  return (
    <section className={styles.card} aria-label={t('account.balance')}>
      <div className={styles.cardHead}>
        <span>{t('account.available')}</span>
        <IconButton
          className={styles.eye}
          label={t(hide ? 'account.showBalance' : 'account.hideBalance')}
          onClick={() => {
            hidden.value = !hide;
          }}
        >
          <Icon size={20} aria-hidden="true" />
        </IconButton>
      </div>
      <Link to="/mine/history" className={styles.balance}>
        <bdi dir="ltr">
          {shown(useValue(balance)) ?? <Skeleton width={9} height={1.5} />}{' '}
          <span className={styles.unit}>USD</span>
        </bdi>
      </Link>
      <p className={styles.frozen}>
        {t('account.frozen')}{' '}
        <bdi dir="ltr">{shown(useValue(frozen)) ?? <Skeleton width={4} />} USD</bdi>
      </p>
    </section>
  );
}
