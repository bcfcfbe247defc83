import { useAccountFigure } from '../../gateway/accountFigure';
import { gateway } from '../../gateway/client';
import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { useRequest } from '../../requests/queries';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Wallet.module.css';

/**
 * The available and the frozen balance in USD with two decimals (domain.md#balance): as the server
 * answers at first, then live.
 */
export function BalanceFigures() {
  const t = useT();
  const { data } = useRequest(['balance'], () => gateway.balance());
  const balance = useAccountFigure('balance') ?? data?.balance;
  const frozen = useAccountFigure('lockBalance') ?? data?.lockBalance;
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
