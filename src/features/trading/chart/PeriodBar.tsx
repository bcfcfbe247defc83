import { useLayoutEffect, useRef } from 'react';
import { CHART_PERIODS, type ChartPeriod } from '#domain/market/kline';
import { useT } from '../../../i18n/i18n';
import { Segmented } from '../../../ui/Segmented';
import styles from './PeriodBar.module.css';

/** The choice of the period, from one minute to one month (domain.md#periods). */
export function PeriodBar({
  period,
  onChange,
}: {
  period: ChartPeriod;
  onChange(period: ChartPeriod): void;
}) {
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const bar = host.current?.querySelector('fieldset');
    const chosen = bar?.querySelectorAll('label')[CHART_PERIODS.indexOf(period)];
    if (!bar || !chosen) return;
    const show = () => centre(bar, chosen);
    const sizes = new ResizeObserver(show);
    sizes.observe(bar);
    // A page that goes full screen loses where its boxes were scrolled to.
    document.addEventListener('fullscreenchange', show);
    return () => {
      sizes.disconnect();
      document.removeEventListener('fullscreenchange', show);
    };
  }, [period]);
  return (
    <div ref={host} className={styles.periods}>
      <Segmented
        className="fading-ends"
        label={t('trade.periods')}
        options={CHART_PERIODS.map((value) => ({ value, label: t(`trade.period.${value}`) }))}
        value={period}
        onChange={onChange}
      />
    </div>
  );
}

/** Scrolls `bar` so that `chosen` is in the middle, or as near as it goes; works in both directions. */
function centre(bar: HTMLElement, chosen: HTMLElement): void {
  const inside = bar.getBoundingClientRect();
  const { left, width } = chosen.getBoundingClientRect();
  bar.scrollLeft += left + width / 2 - (inside.left + inside.width / 2);
}
