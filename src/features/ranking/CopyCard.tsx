import type { ReactNode } from 'react';
import type { Trader } from '#domain/api/ranking';
import { formatCount, formatExact, formatRate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { Button } from '../../ui/Button';
import { InstrumentMark } from '../../ui/InstrumentMark';
import styles from './CopyCard.module.css';
import { Rate } from './RankRow';

type Fact = 'rate' | 'winRate' | 'variety' | 'followers' | 'orders' | 'multiple';

/** A trader to copy (protocol.md#trader): variety, figures of three weeks, followers and orders. */
export function CopyCard({ trader, onTap }: { trader: Trader; onTap(trader: Trader): void }) {
  const t = useT();
  const { name, avatar, code, multiple } = trader;
  const computed = trader.computedOrders > 0 && (
    <span className={styles.note}>
      {t('ranking.computed', { count: formatCount(trader.computedOrders) })}
    </span>
  );
  const facts: [Fact, ReactNode][] = [
    ['rate', <Rate key="rate" value={trader.threeWeekRate} unit="%" />],
    [
      'winRate',
      <bdi key="win" dir="ltr" translate="no">
        {formatRate(trader.threeWeekWin, 2)}
      </bdi>,
    ],
    ['variety', <bdi key="variety">{code}</bdi>],
    ['followers', formatCount(trader.followers)],
    [
      'orders',
      <span key="orders">
        {formatCount(trader.orders)} {computed}
      </span>,
    ],
    ['multiple', t('common.times', { value: formatExact(multiple) })],
  ];
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <InstrumentMark name={name} logo={avatar} />
        <h2 className={styles.name} translate="no">
          {name}
        </h2>
        <Button
          aria-label={t('common.labelled', { label: t('ranking.copy'), text: name })}
          onClick={() => onTap(trader)}
        >
          {t('ranking.copy')}
        </Button>
      </header>
      <dl className={styles.facts}>
        {facts.map(([field, value]) => (
          <div key={field}>
            <dt>{t(`ranking.column.${field}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
