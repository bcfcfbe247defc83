// The app's chart. Frames arrive every 50 ms, and it redraws at its own rate.
import '../../src/ui/tokens.css';
import { success } from '#domain/core/result';
import type { Bar } from '#domain/market/kline';
import { FRAME_MS } from '#domain/worker/workerApi';
import { createCandleChart } from '../../src/features/trading/chart/candleChart';
import { chartClock } from '../../src/features/trading/chart/chartClock';
import { chartColours } from '../../src/features/trading/chart/chartColours';
import { LiveChart } from '../../src/features/trading/chart/liveChart';
import { host, movingBar } from './lastBar';

const key = { instrumentId: 1, period: '1min' } as const;
const element = host();
const live = new LiveChart(async () => success(undefined));
const packed = (all: readonly Bar[]) =>
  Float64Array.from(
    all.flatMap(({ time, open, high, low, close, volume }) => [
      time,
      open,
      high,
      low,
      close,
      volume,
    ]),
  );
// In the app the worker collects the changes of a frame.
const { bars, last } = movingBar(
  (bar) => live.receive({ ...key, change: 'update', bars: packed([bar]), more: false }),
  FRAME_MS,
);

live.attach((events) => createCandleChart(element, chartColours(element), events));
live.show(key, {
  clock: chartClock('1min', 'en'),
  formatPrice: (price) => price.toFixed(5),
  precision: 5,
});
live.receive({ ...key, change: 'replace', bars: packed(bars), more: false });
window.benchGap = () => Math.abs((live.drawn().at(-1)?.close ?? Number.NaN) - last.close);
