import { useT } from '../../i18n/i18n';
import { AccountAmount } from '../../positions/AccountAmount';
import { AccountSummaryList } from '../../positions/AccountSummaryList';
import { SUMMARY } from '../../positions/accountFormats';
import { useRequest } from '../../requests/queries';
import { useAccountAmount } from '../../worker/accountAmount';
import { api } from '../../worker/api';
import styles from './Wallet.module.css';

/**
 * What is available and what is frozen, in USD with two decimals (domain.md#balance), and the figures that add up to it. What
 * is frozen is at first as the server answers, then live.
 */
export function BalanceFigures() {
  const t = useT();
  const { data, failure } = useRequest(['balance'], () => api('wallet.balance', {}));
  const available = useAccountAmount('available');
  const failed = failure !== undefined;
  const frozen = useAccountAmount('lockBalance') ?? data?.lockBalance;
  return (
    <>
      <dl className={styles.hero}>
        <div>
          <dt>{t('account.available')}</dt>
          <dd dir="ltr" translate="no">
            <AccountAmount amount={available} failed={failed} width={8} height={1.5} /> USD
          </dd>
        </div>
        <div>
          <dt>{t('wallet.frozen')}</dt>
          <dd dir="ltr" translate="no">
            <AccountAmount amount={frozen} failed={failed} width={4} /> USD
          </dd>
        </div>
      </dl>
      <AccountSummaryList formats={SUMMARY} />
    </>
  );
}
