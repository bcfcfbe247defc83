import { BAR_STRIDE } from '#domain/market/candles';
import type { ChartPeriod } from '#domain/market/kline';
import { createAnswerCache } from '../core/answerCache';
import type { Storage } from '../core/ports';

/** As many charts are stored. */
const MOST = 6;

/** The bars of the last charts, laid out as `Candles.bars` (architecture.md#installed-and-offline). */
export interface BarCache {
  /** Undefined where none are stored. */
  load(code: string, period: ChartPeriod): Promise<Float64Array | undefined>;
  save(code: string, period: ChartPeriod, bars: Float64Array): void;
}

export function createBarCache(storage: Storage): BarCache {
  const answers = createAnswerCache(storage, 'bars', MOST);
  return {
    async load(code, period) {
      const bars = await answers.get(`${code} ${period}`);
      const whole = bars instanceof Float64Array && bars.length % BAR_STRIDE === 0;
      return whole ? bars : undefined;
    },
    save: (code, period, bars) => void answers.set(`${code} ${period}`, bars),
  };
}
