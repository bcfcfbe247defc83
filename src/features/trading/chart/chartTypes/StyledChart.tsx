import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Seconds } from '#domain/core/time';
import { timeBetween, toUnixSeconds } from '#domain/core/time';
import { barEnd, type ChartPeriod } from '#domain/market/kline';
import { olderBarsRetry } from '#domain/market/olderBars';
import type { TopOfBook } from '#domain/market/topOfBook';
import { formatChange } from '../../../../i18n/format';
import { useValue } from '../../../../useValue';
import { steadyTime } from '../../../../worker/age';
import { watchCandles } from '../../../../worker/candles';
import { connectionState } from '../../../../worker/frameReceiver';
import { watchTopOfBook } from '../../../../worker/topOfBook';
import { workerApi } from '../../../../worker/workerApi';
import { axisMode, bookLines, chartType, countdown, sessionBreaks } from '../chartSettings';
import type { LiveChart } from '../liveChart';
import { Compared } from './compare';
import { createChartStyle } from './createChartStyle';
import { useCompared } from './useCompared';

interface StyledChartProps {
  live: LiveChart;
  instrumentId: number;
  period: ChartPeriod;
}

/** Draws the chart as its settings say, where that is not plain candles (screens.md#chart-settings). */
export default function StyledChart({ live, instrumentId, period }: StyledChartProps) {
  const type = useValue(chartType);
  const mode = useValue(axisMode);
  const breaks = useValue(sessionBreaks);
  const counts = useValue(countdown);
  const lines = useValue(bookLines);
  const book = useRef<TopOfBook>(undefined);
  const other = useCompared(instrumentId);
  const name = other?.name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another instrument or period has other bars
  const compared = useMemo(
    () => (name === undefined ? undefined : new Compared(name)),
    [other?.id, name, period],
  );

  useLayoutEffect(() => {
    const left = () => untilEnd(period, live.newest.peek());
    const shown = counts ? left : undefined;
    live.setStyle(
      createChartStyle({
        type,
        period,
        breaks,
        countdown: shown,
        book: lines ? () => book.current : undefined,
        compared,
        formatPercent: formatChange,
      }),
    );
    return () => live.setStyle(undefined);
  }, [live, type, period, breaks, counts, lines, compared]);

  useLayoutEffect(() => {
    live.scaleTo(compared ? 'percent' : mode);
    return () => live.scaleTo('linear');
  }, [live, mode, compared]);

  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => live.repaint(false), 1000);
    return () => clearInterval(timer);
  }, [live, counts]);

  useEffect(() => {
    if (!lines) return;
    return watchTopOfBook(instrumentId, (next) => {
      book.current = next;
      live.repaintEnd();
    });
  }, [live, lines, instrumentId]);

  if (!other || !compared) return null;
  return <ComparedBars live={live} compared={compared} instrumentId={other.id} period={period} />;
}

/** The time until the newest bar ends, by the market's clock; undefined where it has ended. */
function untilEnd(period: ChartPeriod, newest: number | undefined): string | undefined {
  const { marketOffset } = connectionState.peek();
  if (marketOffset === undefined || newest === undefined) return undefined;
  const now = toUnixSeconds(Math.floor((steadyTime() + marketOffset) / 1000));
  return countdownText(timeBetween(now, barEnd(period, toUnixSeconds(newest))));
}

/** Gives the bars of the compared instrument, back to the oldest one of the chart. */
function ComparedBars({
  live,
  compared,
  instrumentId,
  period,
}: StyledChartProps & { compared: Compared }) {
  useEffect(() => {
    const key = { instrumentId, period };
    let ended = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      const { first, more } = compared;
      const lacks = more && first !== undefined && first > (live.oldest.peek() ?? 0);
      if (ended || retry || !lacks) return;
      const result = await workerApi.loadOlder(key);
      if (result.ok) return;
      retry ??= setTimeout(() => {
        retry = undefined;
        void load();
      }, olderBarsRetry(result.failure));
    };
    const stops = [
      watchCandles(key, (candles) => {
        live.repaint(!compared.receive(candles));
        // The answer of a call comes before its bars, which may not reach back far enough.
        if (candles.change !== 'update') void load();
      }),
      live.oldest.subscribe(() => void load()),
    ];
    return () => {
      ended = true;
      clearTimeout(retry);
      for (const stop of stops) stop();
    };
  }, [live, compared, instrumentId, period]);
  return null;
}

const two = (value: number) => `${value}`.padStart(2, '0');

/** A time as minutes and seconds, with hours where there are any; undefined where it is over. */
export function countdownText(left: Seconds): string | undefined {
  if (!(left > 0)) return undefined;
  const hours = Math.floor(left / 3600);
  const rest = `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return hours > 0 ? `${two(hours)}:${rest}` : rest;
}
