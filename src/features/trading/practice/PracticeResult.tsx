import { sign } from '#domain/core/decimal';
import { isTrade, largestDrawdown, profitFactor, totalsOf, winRate } from '#domain/trading/results';
import type { PracticeState } from '#domain/worker/practice';
import { formatAmount, formatCount, formatRate } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { Button } from '../../../ui/Button';
import { directionOf } from '../../../ui/direction';
import { Facts } from '../../../ui/Facts';
import { Ltr } from '../../../ui/Ltr';
import { practise } from '../../../worker/practice';
import styles from './Practice.module.css';

/** What a session that is over came to. */
export function PracticeResult({ closed, swap }: Pick<PracticeState, 'closed' | 'swap'>) {
  const t = useT();
  const trades = closed.filter(isTrade);
  const totals = totalsOf(trades);
  const rate = winRate(totals, 1);
  const factor = profitFactor(totals);
  const usd = (text: string) => <Ltr>{`${text} USD`}</Ltr>;
  const none = '–';
  return (
    <section className={styles.result} aria-label={t('practice.result')}>
      <h2>{t('practice.result')}</h2>
      <p className={styles.net} data-direction={directionOf(sign(totals.net))}>
        {usd(formatAmount(totals.net, 2, 'always'))}
      </p>
      <Facts
        facts={[
          { name: t('orders.title'), value: formatCount(totals.orders) },
          { name: t('results.winRate'), value: rate ? <Ltr>{formatRate(rate, 1)}</Ltr> : none },
          {
            name: t('results.profitFactor'),
            value: factor ? <Ltr>{formatAmount(factor, 2)}</Ltr> : none,
          },
          { name: t('orders.field.fee'), value: usd(formatAmount(totals.fees, 2)) },
          ...(swap
            ? [{ name: t('orders.field.swap'), value: usd(formatAmount(totals.swap, 2, 'always')) }]
            : []),
          { name: t('results.drawdown'), value: usd(formatAmount(largestDrawdown(trades), 2)) },
        ]}
      />
      <Button variant="primary" wide onClick={() => void practise({ do: 'forget' })}>
        {t('practice.again')}
      </Button>
    </section>
  );
}
