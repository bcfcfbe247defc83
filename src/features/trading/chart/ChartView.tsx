import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { UnixSeconds } from '#domain/core/time';
import type { ChartPeriod } from '#domain/market/kline';
import type { ListRow } from '#domain/market/list';
import type { PanelProps } from '../../../panels/panel';
import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';
import { Skeleton } from '../../../ui/Skeleton';
import { useValue } from '../../../useValue';
import { workerApi } from '../../../worker/workerApi';
import { InstrumentHeader } from '../InstrumentHeader';
import { NoInstrument } from '../NoInstrument';
import { QuoteStatus } from '../QuoteStatus';
import { quickPanel } from '../quick/quickSettings';
import * as settings from '../settings';
import { ChartTools } from './ChartTools';
import styles from './ChartView.module.css';
import { fullScreen } from './fullScreen';
import { LiveChart } from './liveChart';
import { OrderChart } from './OrderChart';

const QuickTrade = lazyPart(() => import('../quick/QuickTrade'), ToldInBanner);

interface ChartViewProps {
  row: ListRow | undefined;
  /** Plain candles of this period, whatever the user has chosen: type, axis, indicators, drawings. */
  fixed?: ChartPeriod;
  /** In a panel of the workspace, which has a period of its own and its controls in a toolbar. */
  panel?: Pick<PanelProps, 'period' | 'setPeriod' | 'crosshair' | 'toolbar'>;
}

/** Header, periods, tools and chart; fills the height of its container. */
export function ChartView({ row, fixed, panel }: ChartViewProps) {
  const chosen = useValue(settings.period);
  const period = fixed ?? panel?.period ?? chosen;
  // The tapped period is marked before the chart is drawn anew.
  const drawn = useDeferredValue(period);
  const full = useValue(fullScreen);
  const quick = useValue(quickPanel);
  const [live] = useState(() => new LiveChart((key) => workerApi.loadOlder(key)));
  useSharedCrosshair(live, panel?.crosshair);
  const inPanel = panel !== undefined;
  const status = useMemo(() => inPanel && row && <QuoteStatus row={row} />, [inPanel, row]);
  const controls = (
    <>
      {row ? <InstrumentHeader row={row} /> : <HeaderSkeleton />}
      <ChartTools
        live={live}
        instrument={row?.instrument}
        period={period}
        onPeriod={(next) => {
          if (panel) panel.setPeriod(next);
          else settings.period.value = next;
        }}
        inPanel={inPanel}
      />
    </>
  );
  return (
    <section className={styles.panel} data-full={(full && !panel) || undefined}>
      {panel ? panel.toolbar && createPortal(controls, panel.toolbar) : controls}
      <div className={styles.chart}>
        {row ? (
          <OrderChart
            live={live}
            instrument={row.instrument}
            period={drawn}
            bare={fixed !== undefined}
            status={status}
          />
        ) : (
          <NoInstrument />
        )}
        {quick && row && !fixed && <QuickTrade key={row.instrument.id} row={row} />}
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

/** Shows the crosshair that other charts of a group have, and tells them this chart's. */
function useSharedCrosshair(live: LiveChart, crosshair: PanelProps['crosshair']): void {
  useEffect(() => {
    if (!crosshair) return;
    const tell = (time: UnixSeconds | undefined) => {
      if (time !== undefined) crosshair.value = { time, by: live };
      else if (crosshair.peek()?.by === live) crosshair.value = undefined;
    };
    const show = () => {
      const at = crosshair.peek();
      if (at?.by !== live) live.follow(at?.time);
    };
    // Also where its bars come after the crosshair.
    const stops = [
      live.pointedTime.subscribe(tell),
      crosshair.subscribe(show),
      live.newest.subscribe(show),
    ];
    return () => {
      for (const stop of stops) stop();
      tell(undefined);
    };
  }, [live, crosshair]);
}
