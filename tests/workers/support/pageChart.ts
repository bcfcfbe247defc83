import { BAR_STRIDE, type Candles } from '#domain/market/candles';
import type { Bar } from '#domain/market/kline';

/** The bars of one chart as a page has them, from frames. */
export class PageChart {
  bars: Bar[] = [];
  more = true;
  failure: Candles['failure'];
  replaced = 0;

  apply(candles: Candles): void {
    const bars = barsOf(candles.bars);
    this.more = candles.more;
    this.failure = candles.failure;
    if (candles.change === 'replace') {
      this.replaced += 1;
      this.bars = bars;
    } else if (candles.change === 'prepend') {
      this.bars = [...bars, ...this.bars];
    } else {
      const last = this.bars.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
      const [first] = bars;
      if (first && first.time < last) throw new Error('an update of a bar before the last');
      this.bars = [...this.bars.filter(({ time }) => time < (first?.time ?? Infinity)), ...bars];
    }
  }
}

function barsOf(numbers: Float64Array): Bar[] {
  const bars: Bar[] = [];
  for (let at = 0; at < numbers.length; at += BAR_STRIDE) {
    const [time, open, high, low, close, volume] = numbers.subarray(at, at + BAR_STRIDE);
    bars.push({ time, open, high, low, close, volume } as Bar);
  }
  return bars;
}
