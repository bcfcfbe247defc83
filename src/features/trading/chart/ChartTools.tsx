import { CirclePlus, Maximize2, Minimize2, SlidersHorizontal } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import { CHART_PERIODS } from '#domain/market/kline';
import { useT } from '../../../i18n/i18n';
import { IconButton } from '../../../ui/Button';
import { LeftOut, lazyPart } from '../../../ui/lazyPart';
import { Segmented } from '../../../ui/Segmented';
import { useValue } from '../../../useValue';
import styles from './ChartTools.module.css';
import { enterFullScreen, fullScreen, leaveFullScreen } from './fullScreen';
import { ChartSheet } from './lazyParts';
import type { LiveChart } from './liveChart';
import { ToolButtons } from './ToolButtons';

const BarMenus = lazyPart(
  () => import('./chartTypes/BarMenus'),
  LeftOut,
  <span className={styles.type} />,
);

interface ChartToolsProps {
  live: LiveChart;
  /** Undefined before the list is loaded. */
  instrument: Instrument | undefined;
  period: ChartPeriod;
  onPeriod(period: ChartPeriod): void;
  /** Of a panel of the workspace, in its toolbar; the panel's stack fills the area instead of the screen. */
  inPanel?: boolean | undefined;
}

/** One row above the chart: its periods, and a button for each group of tools (screens.md#chart-tools). */
export function ChartTools({ live, instrument, period, onPeriod, inPanel }: ChartToolsProps) {
  const t = useT();
  const full = useValue(fullScreen);
  const [open, setOpen] = useState(false);
  const [view, setView] = useState<'settings' | 'compare'>();
  const show = (next: 'settings' | 'compare') => {
    setView(next);
    setOpen(true);
  };
  useEffect(() => leaveFullScreen, []);
  return (
    <div className={styles.row}>
      <PeriodBar period={period} onChange={onPeriod} />
      <fieldset className={styles.tools} aria-label={t('trade.tools.label')}>
        {inPanel && <BarMenus />}
        {inPanel && (
          <IconButton
            label={t('trade.tools.compare')}
            aria-haspopup="dialog"
            disabled={!instrument}
            onClick={() => show('compare')}
          >
            <CirclePlus size={20} />
          </IconButton>
        )}
        <ToolButtons live={live} disabled={!instrument} />
        <IconButton
          label={t('trade.tools.settings')}
          aria-haspopup="dialog"
          disabled={!instrument}
          onClick={() => show('settings')}
        >
          <SlidersHorizontal size={20} />
        </IconButton>
        {!inPanel && (
          <IconButton
            label={t(full ? 'trade.tools.leaveFullScreen' : 'trade.tools.fullScreen')}
            className={full ? undefined : styles.wideOnly}
            onClick={full ? leaveFullScreen : enterFullScreen}
          >
            {full ? <Minimize2 size={20} /> : <Maximize2 size={20} />}
          </IconButton>
        )}
      </fieldset>
      {view && instrument && (
        <ChartSheet
          open={open}
          first={view}
          onClose={() => setOpen(false)}
          live={live}
          instrument={instrument}
          period={period}
          inPanel={inPanel}
        />
      )}
    </div>
  );
}

/** The choice of the period, from one minute to one month (domain.md#periods). */
function PeriodBar({
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
