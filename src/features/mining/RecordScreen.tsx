import { PiggyBank } from 'lucide-react';
import { useState } from 'react';
import type { Subscription } from '#domain/api/mining';
import { redeemed, redemptionPenalty } from '#domain/mining/mining';
import { formatExactRate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { CallButton } from '../../requests/CallButton';
import { confirmDone } from '../../requests/confirmDone';
import { ListScreen } from '../../requests/ListScreen';
import { invalidate, invalidateChanged } from '../../requests/queries';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { usePolling } from '../../requests/usePolling';
import { ButtonLink } from '../../ui/ButtonLink';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { Facts } from '../../ui/Facts';
import { EmptyState } from '../../ui/State';
import { useOpening } from '../../ui/useOpening';
import { useReviewedBalances } from '../../worker/accountAmount';
import { api } from '../../worker/api';
import { useCall } from '../../worker/useCall';
import { moneyText } from './fundText';
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
  useReviewedBalances(list.rows, ({ status }) => status);
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

interface RedeemSheetProps {
  open: boolean;
  onClose(): void;
  subscription: Subscription;
}

/** Confirms an early redemption and shows its penalty (domain.md#redemption). */
function RedeemSheet({ open, onClose, subscription }: RedeemSheetProps) {
  const t = useT();
  const call = useCall();
  const { id, amount, fund } = subscription;
  const { currency, liquidatedDamages } = fund;
  const redeem = async () => {
    const result = await call.run((key) =>
      api('mining.redeemSubscription', { sub_id: id }, { key }),
    );
    // Refresh after a refusal as well: the subscription may have ended meanwhile.
    if (result) void invalidateChanged('redemption');
    if (!result?.ok) return;
    confirmDone(result.data, t('mining.redeem.done'));
    onClose();
  };
  return (
    <ConfirmSheet
      open={open}
      onClose={onClose}
      title={t('mining.redeem.title')}
      text={t('mining.redeem.ask', { title: fund.title })}
      button={
        <CallButton
          call={call}
          label={t('mining.redeem.confirm')}
          variant="primary"
          onClick={() => void redeem()}
        />
      }
    >
      <Facts
        facts={[
          { name: t('common.amount'), value: <bdi>{moneyText(amount, currency)}</bdi> },
          {
            name: t('mining.redeem.penalty', { percent: formatExactRate(liquidatedDamages) }),
            value: <bdi>{moneyText(redemptionPenalty(liquidatedDamages, amount), currency)}</bdi>,
          },
          {
            name: t('mining.redeem.returned'),
            value: <bdi>{moneyText(redeemed(liquidatedDamages, amount), currency)}</bdi>,
          },
        ]}
      />
    </ConfirmSheet>
  );
}
