import { PiggyBank } from 'lucide-react';
import { useState } from 'react';
import type { Subscription } from '#domain/api/mining';
import { useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { invalidate } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { usePolling } from '../../requests/usePolling';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/State';
import { useOpening } from '../../ui/useOpening';
import { api } from '../../worker/api';
import { RedeemSheet } from './RedeemSheet';
import { SubscriptionCard } from './SubscriptionCard';

/** `/mining/record`: the user's subscriptions. */
export function RecordScreen() {
  const t = useT();
  const list = useInfiniteList(['subscriptions'], (page) =>
    api('mining.subscriptionList', { page }),
  );
  const [redeeming, setRedeeming] = useState<Subscription>();
  const [isOpen, setOpen] = useState(false);
  const { key, onClose } = useOpening(isOpen && redeeming, () => setOpen(false));
  const redeem = (subscription: Subscription) => {
    setRedeeming(subscription);
    setOpen(true);
  };
  usePolling(
    list.rows.some(({ status }) => status === 'refunding'),
    () => void invalidate('subscriptions'),
  );
  return (
    <ListScreen
      back
      wide
      title={t('mining.records')}
      list={list}
      estimate={11}
      row={(subscription) => <SubscriptionCard subscription={subscription} onRedeem={redeem} />}
      empty={
        <EmptyState
          icon={<PiggyBank size={24} />}
          title={t('mining.noRecords')}
          action={<ButtonLink to="/mining">{t('mining.all')}</ButtonLink>}
        >
          {t('mining.noRecordsHint')}
        </EmptyState>
      }
    >
      {redeeming && (
        <RedeemSheet key={key} open={isOpen} onClose={onClose} subscription={redeeming} />
      )}
    </ListScreen>
  );
}
