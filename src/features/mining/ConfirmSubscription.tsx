import { useId } from 'react';
import type { Fund } from '#domain/api/mining';
import { sign, toText } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { dailyProfit, redemptionPenalty, totalProfit } from '#domain/mining/mining';
import { useT } from '../../i18n/i18n';
import { CallButton } from '../../requests/CallButton';
import { confirmDone } from '../../requests/confirmDone';
import { invalidateChanged } from '../../requests/queries';
import { Facts } from '../../ui/Facts';
import { Ltr } from '../../ui/Ltr';
import { Sheet } from '../../ui/Sheet';
import { api } from '../../worker/api';
import { useCall } from '../../worker/useCall';
import { moneyText, profitText } from './fundText';
import styles from './Mining.module.css';

interface ConfirmSubscriptionProps {
  open: boolean;
  onClose(): void;
  fund: Fund;
  amount: Usd;
  onDone(): void;
}

/** Confirms a subscription and shows what it pays. */
export function ConfirmSubscription(props: ConfirmSubscriptionProps) {
  const { open, onClose, fund, amount, onDone } = props;
  const t = useT();
  const question = useId();
  const call = useCall();
  const { currency, minAmount, maxAmount } = fund;
  const daily = dailyProfit(fund.dividendPercentage, amount);
  const money = (value: Usd) => <Ltr>{moneyText(value, currency)}</Ltr>;

  const confirm = async () => {
    const result = await call.run((key) =>
      api('mining.buyFund', { id: fund.id, amount: toText(amount) }, { key }),
    );
    if (!result?.ok) return;
    void invalidateChanged('subscription');
    confirmDone(
      result.data,
      t('mining.subscribe.done', { amount: moneyText(amount, currency), title: fund.title }),
    );
    onDone();
  };

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('mining.subscribe.confirmTitle')}
      describedBy={question}
      foot={
        <CallButton
          call={call}
          label={t('mining.subscribe.confirm', { amount: moneyText(amount, currency) })}
          variant="primary"
          wide
          onClick={() => void confirm()}
        />
      }
    >
      <div id={question} className={styles.sheet}>
        <p>{t('mining.subscribe.ask', { title: fund.title, count: fund.lockDays })}</p>
        <Facts
          facts={[
            { name: t('mining.subscribe.amount'), value: money(amount) },
            {
              name: t('mining.dailyProfit'),
              value: <Ltr>{profitText(daily, currency)}</Ltr>,
            },
            {
              name: t('mining.totalProfit'),
              value: <Ltr>{profitText(totalProfit(fund.lockDays, daily), currency)}</Ltr>,
            },
            { name: t('mining.minimum'), value: money(minAmount) },
            {
              name: t('mining.maximum'),
              value: sign(maxAmount) > 0 ? money(maxAmount) : t('mining.noMaximum'),
            },
            {
              name: t('mining.penaltyRate'),
              value: money(redemptionPenalty(fund.liquidatedDamages, amount)),
            },
          ]}
        />
      </div>
    </Sheet>
  );
}
