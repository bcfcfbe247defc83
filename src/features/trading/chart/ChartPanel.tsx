import { useState } from 'react';
import type { ChartPeriod } from '#domain/market/kline';
import type { ListRow } from '#domain/market/list';
import { gateway } from '../../../gateway/client';
import { useValue } from '../../../signals';
import { Skeleton } from '../../../ui/Skeleton';
import { InstrumentHeader } from '../InstrumentHeader';
import { NoInstrument } from '../NoInstrument';
import * as settings from '../settings';
import styles from './ChartPanel.module.css';
import { ChartTools } from './ChartTools';
import { fullScreen } from './fullScreen';
import { LiveChart } from './liveChart';
import { OrderChart } from './OrderChart';

interface ChartPanelProps {
  row: ListRow | undefined;
  /** Overrides the period that the user chose. */
  fixed?: ChartPeriod;
}

/** Header, periods, tools and chart; fills the height of its container. */
export function ChartPanel({ row, fixed }: ChartPanelProps) {
  const chosen = useValue(settings.period);
  const period = fixed ?? chosen;
  const full = useValue(fullScreen);
  const [live] = useState(() => new LiveChart((key) => gateway.loadOlder(key)));
  return (
    <section className={styles.panel} data-full={full || undefined}>
      {row ? <InstrumentHeader row={row} /> : <HeaderSkeleton />}
      <ChartTools
        live={live}
        instrument={row?.instrument}
        period={period}
        onPeriod={(next) => {
          settings.period.value = next;
        }}
      />
      <div className={styles.chart}>
        {row ? (
          <OrderChart live={live} instrument={row.instrument} period={period} />
        ) : (
          <NoInstrument />
        )}
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
