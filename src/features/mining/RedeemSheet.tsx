import type { Subscription } from '#domain/api/mining';
import { redeemed, redemptionPenalty } from '#domain/mining/mining';
import { formatExactRate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { CallButton } from '../../requests/CallButton';
import { confirmDone } from '../../requests/confirmDone';
import { invalidate } from '../../requests/queries';
import { ConfirmSheet } from '../../ui/ConfirmSheet';
import { Facts } from '../../ui/Facts';
import { api } from '../../worker/api';
import { useCall } from '../../worker/useCall';
import { moneyText } from './fundText';

interface RedeemSheetProps {
  open: boolean;
  onClose(): void;
  subscription: Subscription;
}

/** Confirms an early redemption and shows its penalty (domain.md#redemption). */
export function RedeemSheet({ open, onClose, subscription }: RedeemSheetProps) {
  const t = useT();
  const call = useCall();
  const { id, amount, fund } = subscription;
  const { currency, liquidatedDamages } = fund;
  const redeem = async () => {
    const result = await call.run((key) =>
      api('mining.redeemSubscription', { sub_id: id }, { key }),
    );
    // Refresh after a refusal as well: the subscription may have ended meanwhile.
    if (result) void invalidate('subscriptions', 'incomes');
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
          { name: t('mining.redeem.amount'), value: <bdi>{moneyText(amount, currency)}</bdi> },
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
