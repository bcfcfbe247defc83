import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { nextStart, startOf } from '#domain/core/calendar';
import { sign } from '#domain/core/decimal';
import { timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import type { ResultGroup } from '#domain/trading/results';
import { formatCount, formatMonth, formatShortAmount, formatWeekday } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { IconButton } from '../../../ui/Button';
import { directionOf } from '../../../ui/direction';
import { Link } from '../../../ui/Link';
import { nameOfUnit } from './period';
import styles from './ResultCalendar.module.css';

/** Where the amounts have no room. */
const MARKS = { up: '+', down: '\u2212', flat: '0' };

/** The net result of each day of a month, from the month of the newest one; a day leads to its orders. */
export function ResultCalendar({ days }: { days: readonly ResultGroup[] }) {
  const t = useT();
  const months = [...new Set(days.map(({ time }) => startOf('month', time)))];
  const newest = months[0];
  const oldest = months.at(-1);
  const [chosen, choose] = useState(newest);
  if (newest === undefined || oldest === undefined) return null;
  // The period has changed.
  const month = chosen === undefined || chosen < oldest || chosen > newest ? newest : chosen;
  const results = new Map(days.map((day) => [day.time, day]));
  const weeks = weeksOf(month);
  const [week = []] = weeks;
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          label={t('results.earlier')}
          disabled={month <= oldest}
          onClick={() => choose(startOf('month', timeBefore(month, toDurationMs(1))))}
        >
          <ChevronLeft size={20} className={styles.arrow} />
        </IconButton>
        <h2>
          <span role="status">{formatMonth(month)}</span>
        </h2>
        <IconButton
          label={t('results.later')}
          disabled={month >= newest}
          onClick={() => choose(nextStart('month', month))}
        >
          <ChevronRight size={20} className={styles.arrow} />
        </IconButton>
      </div>
      <table className={styles.table} aria-label={formatMonth(month)}>
        <thead>
          <tr>
            {week.map((time) => (
              <th key={time} scope="col">
                <span aria-hidden="true">{formatWeekday(time, 'narrow')}</span>
                <span className="visually-hidden">{formatWeekday(time, 'long')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((times) => (
            <tr key={times[0]}>
              {times.map((time) => (
                <td key={time}>
                  {startOf('month', time) === month && (
                    <Day time={time} result={results.get(time)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Day({ time, result }: { time: UnixMs; result: ResultGroup | undefined }) {
  const day = <span>{formatCount(new Date(time).getDate())}</span>;
  if (!result) return <div className={styles.day}>{day}</div>;
  const { net } = result.totals;
  const direction = directionOf(sign(net));
  return (
    <Link
      to={`/order?type=3&period=${nameOfUnit('day', time)}`}
      className={styles.day}
      data-direction={direction}
    >
      {day}{' '}
      <b className={styles.net} dir="ltr" translate="no">
        {formatShortAmount(net)}
      </b>
      <b className={styles.mark} aria-hidden="true">
        {MARKS[direction]}
      </b>
    </Link>
  );
}

/** The weeks that have a day of the month, each with all its days, from Monday. */
function weeksOf(month: UnixMs): UnixMs[][] {
  const end = nextStart('month', month);
  const weeks: UnixMs[][] = [];
  for (let time = startOf('week', month); time < end; ) {
    const week: UnixMs[] = [];
    for (let day = 0; day < 7; day++) {
      week.push(time);
      time = nextStart('day', time);
    }
    weeks.push(week);
  }
  return weeks;
}
