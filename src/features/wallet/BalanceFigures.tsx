import { useAccountFigure } from '../../gateway/accountFigure';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Wallet.module.css';

/** The available and the frozen balance in USD with two decimals (domain.md#balance). */
export function BalanceFigures() {
  const t = useT();
  const balance = useAccountFigure('balance');
  const frozen = useAccountFigure('lockBalance');
  return (
    <dl className={styles.hero}>
      <div>
        <dt>{t('wallet.available')}</dt>
        <dd dir="ltr">
          {balance ? formatAmount(balance, 2) : <Skeleton width={8} height={1.5} />} USD
        </dd>
      </div>
      <div>
        <dt>{t('wallet.frozen')}</dt>
        <dd dir="ltr">{frozen ? formatAmount(frozen, 2) : <Skeleton width={4} />} USD</dd>
      </div>
    </dl>
  );
}
