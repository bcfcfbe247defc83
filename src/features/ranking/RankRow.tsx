import type { ReactNode } from 'react';
import type { Trader } from '#domain/api/ranking';
import { type Decimal, sign } from '#domain/core/decimal';
import { formatAmount, formatCount, formatExact, formatRate } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { directionOf } from '../../ui/direction';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { Ltr } from '../../ui/Ltr';
import { tappable } from '../../ui/Row';
import styles from './RankRow.module.css';

interface RankRowProps {
  trader: Trader;
  rank: number;
  onTap(trader: Trader): void;
}

/** A trader in the ranking: the three-week rate, followers and orders on a phone, all figures on a desktop. */
export function RankRow({ trader, rank, onTap }: RankRowProps) {
  const t = useT();
  const { name, avatar, code, multiple } = trader;
  const times = t('common.times', { value: formatExact(multiple) });
  return (
    <button type="button" className={tappable(styles.row)} onClick={() => onTap(trader)}>
      <span className={styles.rank} data-top={rank <= 3 || undefined}>
        {formatCount(rank)}
      </span>
      <InstrumentMark name={name} logo={avatar} />
      <span className={styles.words}>
        <span className={styles.name} translate="no">
          {name}
        </span>
        <span className={styles.detail}>
          <bdi>{code}</bdi> · <bdi>{times}</bdi>
        </span>
      </span>
      <span className={styles.figure}>
        <Rate value={trader.threeWeekRate} unit="%" />
      </span>
      <span className={styles.note}>
        {t('ranking.winRate', { rate: formatAmount(trader.threeWeekWin, 0) })}
      </span>
      <span className={styles.counts}>
        <span>
          {t('ranking.column.followers')} <b>{formatCount(trader.followers)}</b>
        </span>
        <span>
          {t('ranking.column.orders')} <b>{formatCount(trader.orders)}</b>
        </span>
      </span>
      <Cell column="winRate">
        <Ltr>{formatRate(trader.threeWeekWin, 2)}</Ltr>
      </Cell>
      <Cell column="profit">
        <Rate value={trader.threeWeekProfit} unit="USD" />
      </Cell>
      <Cell column="totalRate">
        <Rate value={trader.totalRate} unit="%" />
      </Cell>
      <Cell column="orders">{formatCount(trader.orders)}</Cell>
      <Cell column="followers">{formatCount(trader.followers)}</Cell>
    </button>
  );
}

const COLUMNS = ['winRate', 'profit', 'totalRate', 'orders', 'followers'] as const;

/** A cell that includes its column's name for screen readers. */
function Cell({ column, children }: { column: (typeof COLUMNS)[number]; children: ReactNode }) {
  const t = useT();
  return (
    <span className={styles.cell}>
      <span className="visually-hidden">{t(`ranking.column.${column}`)} </span>
      {children}
    </span>
  );
}

/** Column heads; shown on a desktop only. */
export function RankHead() {
  const t = useT();
  return (
    <div className={styles.head} aria-hidden="true">
      <span>{t('ranking.column.trader')}</span>
      <span>{t('ranking.column.rate')}</span>
      {COLUMNS.map((name) => (
        <span key={name} className={styles.cell}>
          {t(`ranking.column.${name}`)}
        </span>
      ))}
    </div>
  );
}

/** A result in percent or USD with sign and colour. */
export function Rate({ value, unit }: { value: Decimal; unit: '%' | 'USD' }) {
  return (
    <span
      className={styles.rate}
      data-direction={directionOf(sign(value))}
      dir="ltr"
      translate="no"
    >
      {unit === '%' ? formatRate(value, 2, 'always') : formatAmount(value, 2, 'always')}
    </span>
  );
}
