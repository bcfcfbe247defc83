import { ChevronRight, ClipboardList, PiggyBank } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Fund } from '#domain/api/mining';
import { sign } from '#domain/core/decimal';
import { formatExactRate } from '../../i18n/format';
import { type StringKey, useT } from '../../i18n/i18n';
import { ListScreen } from '../../requests/ListScreen';
import { useInfiniteList } from '../../requests/useInfiniteList';
import { Button, iconButtonClass } from '../../ui/Button';
import { InstrumentMark } from '../../ui/InstrumentMark';
import { Link } from '../../ui/Link';
import { Ltr } from '../../ui/Ltr';
import { tappable } from '../../ui/Row';
import { EmptyState } from '../../ui/State';
import { api } from '../../worker/api';
import styles from './FundRow.module.css';
import { moneyText, yearlyText } from './fundText';

/** `/mining`: the available funds. */
export function MiningScreen() {
  const t = useT();
  const list = useInfiniteList(['funds'], (page) => api('mining.fundList', { page }), 'anyone');
  return (
    <ListScreen
      back
      wide
      title={t('mining.title')}
      actions={
        <Link
          to="/mining/record"
          className={iconButtonClass}
          aria-label={t('mining.records')}
          title={t('mining.records')}
        >
          <ClipboardList size={20} />
        </Link>
      }
      above={list.rows.length > 0 && <FundHead />}
      list={list}
      estimate={4}
      row={(fund) => <FundRow fund={fund} />}
      empty={
        <EmptyState
          icon={<PiggyBank size={24} />}
          title={t('mining.empty')}
          action={<Button onClick={list.refresh}>{t('common.refresh')}</Button>}
        >
          {t('mining.emptyHint')}
        </EmptyState>
      }
    />
  );
}

/** A fund: rate, term and minimum; on a desktop all of its terms in columns. */
function FundRow({ fund }: { fund: Fund }) {
  const t = useT();
  const { id, title, image, currency, lockDays, minAmount, maxAmount } = fund;
  const term = t('common.days', { count: lockDays });
  return (
    <Link to={`/mining/subscribe?id=${id}`} className={tappable(styles.row)}>
      <InstrumentMark name={title} logo={image} />
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.detail}>
          {term} · {t('mining.from', { amount: moneyText(minAmount, currency) })}
        </span>
      </span>
      <span className={styles.rate}>
        <span>
          <Ltr>{formatExactRate(fund.dividendPercentage)}</Ltr>{' '}
          <span className={styles.aDay}>{t('mining.aDay')}</span>
        </span>
        <span className={styles.aDay}>
          <Ltr>{yearlyText(fund)}</Ltr> {t('mining.aYear')}
        </span>
      </span>
      <Cell name="mining.term">{term}</Cell>
      <Cell name="mining.minimum">
        <bdi>{moneyText(minAmount, currency)}</bdi>
      </Cell>
      <Cell name="mining.maximum">
        {sign(maxAmount) > 0 ? <bdi>{moneyText(maxAmount, currency)}</bdi> : t('mining.noMaximum')}
      </Cell>
      <Cell name="mining.penaltyRate">{formatExactRate(fund.liquidatedDamages)}</Cell>
      <ChevronRight size={16} className={styles.chevron} />
    </Link>
  );
}

/** A cell that includes its column's name for screen readers. */
function Cell({ name, children }: { name: StringKey; children: ReactNode }) {
  const t = useT();
  return (
    <span className={styles.cell}>
      <span className="visually-hidden">{t(name)} </span>
      {children}
    </span>
  );
}

/** Column heads; shown on a desktop only. */
function FundHead() {
  const t = useT();
  return (
    <div className={styles.head} aria-hidden="true">
      <span>{t('mining.title')}</span>
      <span>{t('mining.dailyProfit')}</span>
      <span>{t('mining.term')}</span>
      <span>{t('mining.minimum')}</span>
      <span>{t('mining.maximum')}</span>
      <span>{t('mining.penaltyRate')}</span>
    </div>
  );
}
