import type { Subscription } from '#domain/api/mining';
import { DAY_MS, timeAfter, toDurationMs } from '#domain/core/time';
import { redeemProblem } from '#domain/mining/rules';
import { formatDate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Facts } from '../../ui/Facts';
import { Ltr } from '../../ui/Ltr';
import { moneyText, profitText } from './fundText';
import styles from './SubscriptionCard.module.css';

interface SubscriptionCardProps {
  subscription: Subscription;
  onRedeem(subscription: Subscription): void;
}

/**
 * A subscription (protocol.md#subscription), its profit so far, and the button that redeems it
 * (domain.md#redemption).
 */
export function SubscriptionCard({ subscription, onRedeem }: SubscriptionCardProps) {
  const t = useT();
  const { id, status, amount, dayProfit, sumProfit, subscribedAt, endedAt, refusal, fund } =
    subscription;
  const facts = [
    { name: t('mining.dailyProfit'), value: <bdi>{profitText(dayProfit, fund.currency)}</bdi> },
    {
      name: t(status === 'refunded' ? 'mining.paidProfit' : 'mining.totalProfit'),
      value: <bdi>{profitText(sumProfit, fund.currency)}</bdi>,
    },
  ];
  if (subscribedAt !== undefined) {
    facts.push({ name: t('mining.subscribedAt'), value: <>{formatDate(subscribedAt)}</> });
  }
  if (endedAt !== undefined) {
    facts.push({ name: t('mining.endedAt'), value: <>{formatDate(endedAt)}</> });
  } else if (subscribedAt !== undefined && status !== 'refunded') {
    const end = timeAfter(subscribedAt, toDurationMs(fund.lockDays * DAY_MS));
    facts.push({ name: t('mining.endsAt'), value: <>{formatDate(end)}</> });
  }
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <h2>{fund.title}</h2>
        <span className={styles.status} data-status={status}>
          {t(`mining.status.${status}`)}
        </span>
      </header>
      <p className={styles.amount}>
        <Ltr>{moneyText(amount, fund.currency)}</Ltr>
      </p>
      <Facts facts={facts} />
      {status === 'doing' && refusal && (
        <p className={styles.refusal}>
          <strong>{t('mining.redeem.refused')}</strong> <bdi>{refusal}</bdi>
        </p>
      )}
      <div className={styles.actions}>
        <ButtonLink to={`/mining/income?id=${id}`} variant="plain">
          {t('mining.income')}
        </ButtonLink>
        <Button
          disabled={redeemProblem(status) !== undefined}
          onClick={() => onRedeem(subscription)}
        >
          {t('mining.redeem.button')}
        </Button>
      </div>
    </article>
  );
}
