import { formatAmount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { AccountSummaryList } from '../../positions/AccountSummaryList';
import { SUMMARY } from '../../positions/accountFormats';
import { useRequest } from '../../requests/queries';
import { Skeleton } from '../../ui/Skeleton';
import { useAccountAmount } from '../../worker/accountAmount';
import { api } from '../../worker/api';
import styles from './Wallet.module.css';

/**
 * What is available and what is frozen, in USD with two decimals (domain.md#balance), and the figures that add up to it. What
 * is frozen is at first as the server answers, then live.
 */
export function BalanceFigures() {
  const t = useT();
  const { data } = useRequest(['balance'], () => api('wallet.balance', {}));
  const available = useAccountAmount('available');
  const frozen = useAccountAmount('lockBalance') ?? data?.lockBalance;
  return (
    <>
      <dl className={styles.hero}>
        <div>
          <dt>{t('account.available')}</dt>
          <dd dir="ltr" translate="no">
            {available ? formatAmount(available, 2) : <Skeleton width={8} height={1.5} />} USD
          </dd>
        </div>
        <div>
          <dt>{t('wallet.frozen')}</dt>
          <dd dir="ltr" translate="no">
            {frozen ? formatAmount(frozen, 2) : <Skeleton width={4} />} USD
          </dd>
        </div>
      </dl>
      <AccountSummaryList formats={SUMMARY} />
    </>
  );
}
