import { ChartNoAxesCombined, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { compare, isZero, sign } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import {
  averageLoss,
  averageWin,
  GROUPINGS,
  type Grouping,
  profitFactor,
  winRate,
} from '#domain/trading/results';
import type { Results } from '#domain/worker/trading';
import { formatAmount, formatCount, formatRate } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { FailedRequest } from '../../../requests/FailedRequest';
import { NotRefreshed } from '../../../requests/NotRefreshed';
import { Button } from '../../../ui/Button';
import { ButtonLink } from '../../../ui/ButtonLink';
import { directionOf } from '../../../ui/direction';
import { type Fact, Facts } from '../../../ui/Facts';
import { Ltr } from '../../../ui/Ltr';
import { Page } from '../../../ui/Page';
import { Segmented } from '../../../ui/Segmented';
import { Skeleton } from '../../../ui/Skeleton';
import { EmptyState } from '../../../ui/State';
import { workerApi } from '../../../worker/workerApi';
import { BalanceCurve } from './BalanceCurve';
import { PeriodPicker } from './PeriodPicker';
import { ALL_TIME } from './period';
import { ResultBars } from './ResultBars';
import { ResultCalendar } from './ResultCalendar';
import styles from './ResultsScreen.module.css';
import { useLoading } from './useLoading';
import { usePeriod } from './usePeriod';

/** `/mine/results` (screens.md#results): what closed orders came to in a period. */
export function ResultsScreen() {
  const t = useT();
  const [query, setQuery] = useSearchParams();
  const { name, period } = usePeriod(query.get('period'));
  const choose = (next: string) => setQuery({ period: next }, { replace: true });
  const { data, failure, retry } = useLoading(period, workerApi.results);
  return (
    <Page title={t('results.title')} flush>
      <PeriodPicker value={name} onChange={choose} />
      {!data && !failure && <Waiting />}
      {!data && failure && <FailedRequest failure={failure} onRetry={retry} />}
      {data && failure && <NotRefreshed onRetry={retry} />}
      {data && (
        <>
          {!data.complete && !failure && (
            <p className={styles.note} role="status">
              {t('results.loading', { loaded: formatCount(data.loaded) })}
            </p>
          )}
          <Shown results={data} name={name} onAll={() => choose(ALL_TIME)} />
        </>
      )}
    </Page>
  );
}

function Waiting() {
  const t = useT();
  return (
    <div role="status" aria-label={t('common.loading')} className={styles.waiting}>
      <Skeleton width={5} />
      <Skeleton width={9} height={1.5} />
      <Skeleton width={18} height={8} />
      {[10, 12, 9, 11].map((width) => (
        <Skeleton key={width} width={width} height={1} />
      ))}
    </div>
  );
}

interface ShownProps {
  results: Results;
  name: string;
  onAll(): void;
}

function Shown({ results, name, onAll }: ShownProps) {
  const t = useT();
  const [by, setBy] = useState<Grouping>('day');
  const { totals, balance, complete } = results;
  const direction = directionOf(sign(totals.net));
  const moved = balance && compare(balance.opening, balance.closing) !== 0;
  return (
    <>
      {totals.orders > 0 && (
        <div className={styles.hero}>
          <p className="caption">{t('orders.field.net')}</p>
          <p className={styles.net} data-direction={direction}>
            <Ltr>
              {formatAmount(totals.net, 2, 'always')} <span className={styles.unit}>USD</span>
            </Ltr>
          </p>
        </div>
      )}
      {totals.orders === 0 && complete && <Nothing name={name} onAll={onAll} />}
      {totals.orders > 0 && (
        <>
          {balance ? (
            <BalanceCurve balance={balance} direction={direction} />
          ) : (
            <div className={styles.reserved} />
          )}
          <div className={styles.facts}>
            <Facts facts={factsOf(results)} />
          </div>
          <Segmented<Grouping>
            label={t('results.by')}
            options={GROUPINGS.map((value) => ({ value, label: t(`results.group.${value}`) }))}
            value={by}
            onChange={setBy}
            className={styles.groupings}
          />
          {by === 'day' && <ResultCalendar days={results.groups.day} />}
          <ResultBars by={by} groups={results.groups[by]} />
        </>
      )}
      {(totals.orders > 0 || moved) && (
        <div className={styles.statement}>
          <ButtonLink to={`/mine/statement?period=${name}`} variant="plain">
            <ReceiptText size={20} />
            {t('results.statement.title')}
          </ButtonLink>
        </div>
      )}
    </>
  );

  function factsOf({ totals, drawdown }: Results): Fact[] {
    const { orders, won, lost, profit, fees, swap } = totals;
    const rate = winRate(totals, 1);
    const factor = profitFactor(totals);
    const win = averageWin(totals);
    const loss = averageLoss(totals);
    const none = '–';
    return [
      {
        name: t('results.winRate'),
        value: rate ? (
          <>
            <Ltr>{formatRate(rate, 1)}</Ltr>
            <span className={styles.detail}>
              {t('results.wonLost', { won: formatCount(won), lost: formatCount(lost) })}
            </span>
          </>
        ) : (
          none
        ),
      },
      { name: t('orders.title'), value: formatCount(orders) },
      { name: t('orders.field.profit'), value: moneyText(profit, 'always') },
      { name: t('orders.field.fee'), value: moneyText(fees) },
      ...(isZero(swap) ? [] : [{ name: t('orders.field.swap'), value: moneyText(swap, 'always') }]),
      { name: t('results.averageWin'), value: win ? moneyText(win, 'always') : none },
      { name: t('results.averageLoss'), value: loss ? moneyText(loss, 'always') : none },
      {
        name: t('results.profitFactor'),
        value: factor ? <Ltr>{formatAmount(factor, 2)}</Ltr> : none,
      },
      { name: t('results.drawdown'), value: moneyText(drawdown) },
    ];
  }
}

function Nothing({ name, onAll }: { name: string; onAll(): void }) {
  const t = useT();
  const all = name === ALL_TIME;
  return (
    <EmptyState
      icon={<ChartNoAxesCombined size={24} />}
      title={t('results.empty')}
      action={
        all ? (
          <ButtonLink to="/trade">{t('orders.empty.trade')}</ButtonLink>
        ) : (
          <Button wide onClick={onAll}>
            {t('results.showAll')}
          </Button>
        )
      }
    >
      {t('results.emptyHint')}
    </EmptyState>
  );
}

/** An amount in cents, with its unit. */
function moneyText(amount: Usd, sign: 'auto' | 'always' = 'auto') {
  return <Ltr>{formatAmount(amount, 2, sign)} USD</Ltr>;
}
