import { useState } from 'react';
import { localeOf } from '#domain/core/language';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import { formatChange, formatPrice, formatVolume } from '../../../../i18n/format';
import { language, useT } from '../../../../i18n/i18n';
import { useValue } from '../../../../useValue';
import { chartClock } from '../chartClock';
import type { LiveChart } from '../liveChart';
import styles from './BarTable.module.css';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'change', 'volume'] as const;

/** The bars in sight as a table, newest first: those of the moment when it was opened. */
export function BarTable({
  live,
  instrument,
  period,
}: {
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
}) {
  const t = useT();
  const clock = chartClock(period, localeOf(useValue(language)));
  const { name, precision } = instrument;
  const [bars] = useState(() => {
    const first = live.inSight()?.from ?? 0;
    return live
      .barsInSight()
      .map((bar, index) => ({ ...bar, figures: live.figuresOf(first + index) }));
  });
  const count = bars.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section className={styles.scroller} tabIndex={0} aria-label={t('trade.tools.table')}>
      <table className={styles.table}>
        <caption>
          {t('trade.tools.tableCaption', { count, name, period: t(`trade.period.${period}`) })}
        </caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`trade.tools.columns.${column}`)}
              </th>
            ))}
            {bars[0]?.figures.map(({ name: figure }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name
              <th key={at} scope="col">
                {figure}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...bars].reverse().map((bar) => (
            <tr key={bar.time}>
              <th scope="row">{clock.full(bar.time)}</th>
              {[bar.open, bar.high, bar.low, bar.close].map((price, column) => (
                <td key={COLUMNS[column + 1]}>{formatPrice(price, precision)}</td>
              ))}
              <td>{formatChange(bar.open === 0 ? 0 : (bar.close / bar.open - 1) * 100)}</td>
              <td>{formatVolume(bar.volume)}</td>
              {bar.figures.map(({ text }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name
                <td key={at}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
