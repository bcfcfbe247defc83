import { BAR_STRIDE } from '#domain/market/candles';
import type { ChartPeriod } from '#domain/market/kline';
import { createKeptAnswers } from '../core/keptAnswers';
import type { Storage } from '../core/ports';

/** As many charts are stored. */
const MOST = 6;

/** The bars of the last charts, laid out as `Candles.bars` (architecture.md#installed-and-offline). */
export interface KeptBars {
  /** Undefined where none are stored. */
  load(code: string, period: ChartPeriod): Promise<Float64Array | undefined>;
  keep(code: string, period: ChartPeriod, bars: Float64Array): void;
}

export function createKeptBars(storage: Storage): KeptBars {
  const kept = createKeptAnswers(storage, 'bars', MOST);
  return {
    async load(code, period) {
      const bars = await kept.get(`${code} ${period}`);
      const whole = bars instanceof Float64Array && bars.length % BAR_STRIDE === 0;
      return whole ? bars : undefined;
    },
    keep: (code, period, bars) => void kept.keep(`${code} ${period}`, bars),
  };
}
