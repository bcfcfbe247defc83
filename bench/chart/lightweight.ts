// lightweight-charts as documented: an update for each change, a redraw in each frame.
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Bar } from '#domain/market/kline';
import { host, movingBar } from './lastBar';

const chart = createChart(host(), { autoSize: true });
const candles = chart.addSeries(CandlestickSeries);
const volumes = chart.addSeries(HistogramSeries, { priceScaleId: '' });
const chartTime = (time: number) => time as UTCTimestamp;
const candle = ({ time, open, high, low, close }: Bar) => ({
  time: chartTime(time),
  open,
  high,
  low,
  close,
});
const volume = ({ time, volume: value }: Bar) => ({ time: chartTime(time), value });

const { bars, last } = movingBar((bar) => {
  candles.update(candle(bar));
  volumes.update(volume(bar));
});
candles.setData(bars.map(candle));
volumes.setData(bars.map(volume));
window.benchGap = () => {
  const shown = candles.data().at(-1);
  return shown && 'close' in shown ? Math.abs(shown.close - last.close) : Number.NaN;
};
