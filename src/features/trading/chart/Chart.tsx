import { ChevronsRight } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { localeOf } from '#domain/core/language';
import type { Instrument } from '#domain/market/instrument';
import type { Bar, ChartPeriod } from '#domain/market/kline';
import { formatPrice, formatVolume } from '../../../i18n/format';
import { language, useT } from '../../../i18n/i18n';
import { timeZone } from '../../../i18n/timeZone';
import { reloadAnew } from '../../../pageFiles';
import { usePracticeOrders } from '../../../positions/practiceOrders';
import { Button } from '../../../ui/Button';
import { beginPart } from '../../../ui/firstContent';
import { lazyPart, ToldInBanner } from '../../../ui/lazyPart';
import { afterPaint, nextTask } from '../../../ui/nextTask';
import { EmptyState, FailureState } from '../../../ui/State';
import { unlessLeft } from '../../../ui/unlessLeft';
import { until } from '../../../ui/until';
import { useValue } from '../../../useValue';
import { connectionLive } from '../../../worker/frameReceiver';
import { useCandles } from '../../../worker/useCandles';
import { workerApi } from '../../../worker/workerApi';
import { DrawingsSlot } from '../drawings/DrawingsSlot';
import { TradesSlot } from '../pastTrades/TradesSlot';
import styles from './Chart.module.css';
import { ChartLegend } from './ChartLegend';
import { ChartSkeleton } from './ChartSkeleton';
import { chartClock } from './chartClock';
import { type ChartColours, chartColours, onThemeChange } from './chartColours';
import { comparisons, isPlain } from './chartSettings';
import { exposeToTests } from './exposeToTests';
import { IndicatorsSlot } from './indicators/IndicatorsSlot';
import { LineMarkers } from './LineMarkers';
import { LineSliders } from './LineSliders';
import type { LiveChart } from './liveChart';
import { OldEndNote } from './OldEndNote';
import type { ChartLine } from './orderLines';

const StyledChart = lazyPart(() => import('./chartTypes/StyledChart'), ToldInBanner);

/** Bars that one key press pans by, and the factor that it zooms by. */
const PAN = 20;
const ZOOM = 1.25;

interface ChartProps {
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
  /** Plain candles, whatever is kept on the device; with indicators and drawings only in a practice session. */
  bare: boolean;
  /** As of `OrderChart`. */
  status: ReactNode;
  lines: readonly ChartLine[];
  /**
   * Called when the user has dragged a line. It returns to its place when `lines` is a new array.
   */
  onLineMoved(id: string, price: number): void;
  /** Called when the user has pressed what tells of these orders, by their ids. */
  onOrders(orders: readonly number[]): void;
}

/** The live candlestick and volume chart of an instrument. Never mirrored (design.md#charts). */
export function Chart({
  live,
  instrument,
  period,
  bare,
  status,
  lines,
  onLineMoved,
  onOrders,
}: ChartProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  // Of a practice session, what compares and tells of the account is of another time.
  const drawn = usePracticeOrders() !== undefined || !bare;
  const host = useRef<HTMLDivElement>(null);
  const [canvasFailed, setCanvasFailed] = useState(false);
  const [spoken, setSpoken] = useState('');
  const state = useValue(live.state);
  const following = useValue(live.following);
  const summary = useId();
  const { id, precision } = instrument;
  const connectionIsLive = useValue(connectionLive);
  const compared = useValue(comparisons)[id];
  const styled = !useValue(isPlain) || compared !== undefined;
  const zone = useValue(timeZone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its formatters keep the time zone that they were made in
  const clock = useMemo(
    () => chartClock(period, localeOf(shownLanguage)),
    [period, shownLanguage, zone],
  );

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let unmounted = false;
    let stop: (() => void) | undefined;
    const finish = beginPart();
    setCanvasFailed(false);
    unlessLeft(import('./candleChart'))
      .then(async ({ createCandleChart }) => {
        // Evaluating the library, making the formatter of volumes, reading the colours and making the canvases are a
        // task each.
        await nextTask();
        formatVolume(0);
        await nextTask();
        if (unmounted) return;
        let colours!: ChartColours;
        stop = onThemeChange(() => {
          colours = chartColours(element);
          live.colour(colours);
        });
        // Without bars the library would make its canvases for a skeleton, and paint them twice.
        await until(() => live.state.value.kind !== 'loading');
        await nextTask();
        if (unmounted) return;
        live.attach((events) => createCandleChart(element, colours, events));
        afterPaint(finish);
      })
      .catch(() => {
        finish();
        setCanvasFailed(true);
      });
    return () => {
      unmounted = true;
      finish();
      stop?.();
      live.attach(undefined);
    };
  }, [live]);

  useLayoutEffect(() => {
    setSpoken('');
    live.show(
      { instrumentId: id, period },
      { clock, formatPrice: (price) => formatPrice(price, precision), precision },
    );
    return exposeToTests({
      instrumentId: id,
      period,
      bars: () => live.drawn(),
      heightOf: (price) => live.heightOf(price),
      xOf: (time) => live.xOf(time),
      linePrices: () => live.linePrices(),
      tagBoxes: () => live.tagBoxes(),
      timesInSight: () => live.timesInSight(),
    });
  }, [live, id, period, precision, clock]);
  useCandles(id, period, live.receive);
  useLayoutEffect(
    () => live.lines(lines, onLineMoved, onOrders),
    [live, lines, onLineMoved, onOrders],
  );

  const describe = (bar: Bar | undefined) =>
    bar
      ? t('trade.chart.bar', {
          time: clock.full(bar.time),
          open: formatPrice(bar.open, precision),
          high: formatPrice(bar.high, precision),
          low: formatPrice(bar.low, precision),
          close: formatPrice(bar.close, precision),
          volume: formatVolume(bar.volume),
        })
      : '';

  const retry = () => {
    if (canvasFailed) return void reloadAnew();
    live.reloading();
    void workerApi.reloadCandles({ instrumentId: id, period });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const steps = WALK[event.key];
    const move = MOVE[event.key];
    if ((steps ?? move) === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (steps !== undefined)
      setSpoken(`${describe(live.step(steps))} ${live.tellBeside()}`.trimEnd());
    else move?.(live);
  };

  const failed = canvasFailed || state.kind === 'failed';
  return (
    <div className={styles.frame} dir="ltr">
      <figure className={styles.chart}>
        <div
          ref={host}
          className={styles.canvas}
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through the bars
          tabIndex={0}
          aria-label={t('trade.chart.label', {
            name: instrument.name,
            period: t(`trade.period.${period}`),
          })}
          aria-describedby={summary}
          onKeyDown={onKeyDown}
          onBlur={() => live.step(undefined)}
        />
        <ChartLegend live={live} precision={precision}>
          {status && (
            <div className={styles.status} dir="auto">
              {status}
            </div>
          )}
          {drawn && <IndicatorsSlot live={live} instrument={instrument} period={period} />}
        </ChartLegend>
        {styled && !bare && <StyledChart live={live} instrumentId={id} period={period} />}
        {state.kind === 'shown' && !bare && (
          <TradesSlot key={id} live={live} instrument={instrument} />
        )}
        {state.kind === 'shown' && !failed && <LineMarkers live={live} precision={precision} />}
        {state.kind === 'shown' && !failed && (
          <LineSliders live={live} lines={lines} precision={precision} onOrders={onOrders} />
        )}
        <ChartSummary id={summary} live={live} describe={describe} />
        <p className="visually-hidden" role="status">
          {spoken}
        </p>
        {state.kind === 'shown' && !state.outdated && !failed && (
          <OldEndNote live={live} clock={clock} />
        )}
        {state.kind === 'shown' && !following && !failed && (
          <button
            type="button"
            className={styles.newest}
            aria-label={t('trade.chart.newest')}
            title={t('trade.chart.newest')}
            onClick={() => {
              live.showNewest();
              // The button goes.
              host.current?.focus({ preventScroll: true });
            }}
          >
            <ChevronsRight size={20} />
          </button>
        )}
        {state.kind === 'shown' && state.outdated && !failed && (
          <p className={styles.outdated} role="status">
            <bdi>{t('errors.notRefreshed')}</bdi>
          </p>
        )}
        {state.kind === 'loading' && !failed && <ChartSkeleton />}
        {state.kind === 'empty' && !failed && (
          <div className={styles.over} dir="auto">
            <EmptyState title={t('trade.chart.empty')}>{t('trade.chart.emptyHint')}</EmptyState>
          </div>
        )}
        {failed && (
          <div className={styles.over} dir="auto">
            <FailureState
              title={t('trade.chart.failed')}
              action={<Button onClick={retry}>{t('common.retry')}</Button>}
            >
              {connectionIsLive && t('trade.chart.failedHint')}
            </FailureState>
          </div>
        )}
      </figure>
      {drawn && (
        <DrawingsSlot
          key={instrument.code}
          live={live}
          instrument={instrument}
          period={period}
          clock={clock}
        />
      )}
    </div>
  );
}

const WALK: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const MOVE: Record<string, (live: LiveChart) => void> = {
  PageUp: (live) => live.pan(-PAN),
  PageDown: (live) => live.pan(PAN),
  Home: (live) => live.showOldest(),
  End: (live) => live.showNewest(),
  Escape: (live) => live.step(undefined),
  '+': (live) => live.zoom(1 / ZOOM),
  '-': (live) => live.zoom(ZOOM),
};

/**
 * A description of the chart for screen readers. It changes with each new bar, not with each tick.
 */
function ChartSummary({
  id,
  live,
  describe,
}: {
  id: string;
  live: LiveChart;
  describe(bar: Bar | undefined): string;
}) {
  const t = useT();
  useValue(live.newest);
  const bars = live.bars();
  return (
    <figcaption id={id} className="visually-hidden">
      {bars.length > 0 &&
        t('trade.chart.summary', { count: bars.length, bar: describe(bars.at(-1)) })}{' '}
      {t('trade.chart.keys')}
    </figcaption>
  );
}
