import { absolute, maximum, sign, toNumber, ZERO } from '#domain/core/decimal';
import type { Usd } from '#domain/core/units';
import { type Grouping, type ResultGroup, winRate } from '#domain/trading/results';
import {
  formatAmount,
  formatCount,
  formatDate,
  formatMonth,
  formatRate,
} from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { directionOf } from '../../../ui/direction';
import { Link } from '../../../ui/Link';
import { Ltr } from '../../../ui/Ltr';
import { tappable } from '../../../ui/Row';
import { nameOfUnit, periodOf, periodText } from './period';
import styles from './ResultBars.module.css';

interface ResultBarsProps {
  by: Grouping;
  groups: readonly ResultGroup[];
}

/** The net result of each day, week, month or instrument, with a bar to scale. A day leads to its orders. */
export function ResultBars({ by, groups }: ResultBarsProps) {
  const t = useT();
  const largest = groups.reduce<Usd>(
    (most, { totals }) => maximum(most, absolute(totals.net)),
    ZERO,
  );
  const scale = toNumber(largest) || 1;
  return (
    <ul aria-label={t(`results.group.${by}`)}>
      {groups.map((group) => {
        const { totals, time, name } = group;
        const rate = winRate(totals, 0);
        const share = Math.abs(toNumber(totals.net)) / scale;
        const content = (
          <>
            <span className={styles.name} translate="no">
              {name || unitText(by, time)}{' '}
              <span className={styles.detail}>
                {t('orders.count', { count: totals.orders, number: formatCount(totals.orders) })}
                {rate && (
                  <>
                    {' · '}
                    <Ltr>{formatRate(rate, 0)}</Ltr>
                  </>
                )}
              </span>
            </span>
            <bdi
              dir="ltr"
              translate="no"
              className={styles.net}
              data-direction={directionOf(sign(totals.net))}
            >
              {formatAmount(totals.net, 2, 'always')}
            </bdi>
            <span className={styles.track} data-direction={directionOf(sign(totals.net))}>
              <span style={{ inlineSize: `${(share * 100).toFixed(2)}%` }} />
            </span>
          </>
        );
        return (
          <li key={name || time} className={styles.item}>
            {by === 'instrument' ? (
              <div className={styles.bar}>{content}</div>
            ) : (
              <Link
                to={`/order?type=3&period=${nameOfUnit(by, time)}`}
                className={tappable(styles.bar)}
              >
                {content}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function unitText(by: Grouping, time: ResultGroup['time']): string {
  if (by === 'month') return formatMonth(time);
  if (by === 'day') return formatDate(time);
  const week = periodOf(nameOfUnit('week', time));
  return week ? periodText(week) : '';
}
