import type { ChartPeriod } from '#domain/market/kline';
import type { ListRow } from '#domain/market/list';
import { useValue } from '../../../signals';
import { Skeleton } from '../../../ui/Skeleton';
import { InstrumentHeader } from '../InstrumentHeader';
import { NoInstrument } from '../NoInstrument';
import * as settings from '../settings';
import styles from './ChartPanel.module.css';
import { OrderChart } from './OrderChart';
import { PeriodBar } from './PeriodBar';

interface ChartPanelProps {
  row: ListRow | undefined;
  /** Overrides the period that the user chose. */
  fixed?: ChartPeriod;
}

/** Header, period bar and chart; fills the height of its container. */
export function ChartPanel({ row, fixed }: ChartPanelProps) {
  const chosen = useValue(settings.period);
  const period = fixed ?? chosen;
  return (
    <section className={styles.panel}>
      {row ? <InstrumentHeader row={row} /> : <HeaderSkeleton />}
      <PeriodBar
        period={period}
        onChange={(next) => {
          settings.period.value = next;
        }}
      />
      <div className={styles.chart}>
        {row ? <OrderChart instrument={row.instrument} period={period} /> : <NoInstrument />}
      </div>
    </section>
  );
}

function HeaderSkeleton() {
  return (
    <div className={styles.header}>
      <Skeleton width={8} height={1} />
      <Skeleton width={12} height={1.5} />
    </div>
  );
}
