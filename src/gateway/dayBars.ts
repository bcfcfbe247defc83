import { BAR_STRIDE, type Candles } from '#domain/market/candles';
import { watchCandles } from './candles';

/** A row that passes by in a fling asks for nothing, ms. */
const IN_SIGHT = 200;

const HIGH = 2;
const LOW = 3;
const VOLUME = 5;

/** What the bar of the day says. */
export interface DayBar {
  low: number;
  high: number;
  volume: number;
}

/** Calls `paint` with the bar of an instrument's day, and with each change of it. Returns the function that ends it. */
export function watchDayBar(instrumentId: number, paint: (day: DayBar) => void): () => void {
  let stop = () => {};
  const listen = ({ change, bars }: Candles) => {
    const last = bars.length - BAR_STRIDE;
    const [high, low, volume] = [bars[last + HIGH], bars[last + LOW], bars[last + VOLUME]];
    if (change === 'prepend' || high === undefined || low === undefined) return;
    paint({ low, high, volume: volume ?? 0 });
  };
  const timer = setTimeout(() => {
    stop = watchCandles({ instrumentId, period: '1day' }, listen);
  }, IN_SIGHT);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
