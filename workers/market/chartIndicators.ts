/** Loaded with the first indicator. */

import { toUnixSeconds } from '#domain/core/time';
import {
  INDICATORS,
  type IndicatorKind,
  type IndicatorSpec,
  indicatorKey,
} from '#domain/indicators/catalogue';
import { createIndicator, type Indicator } from '#domain/indicators/indicator';
import { BAR_STRIDE, type Candles, type IndicatorValues } from '#domain/market/candles';
import type { Bar, ChartPeriod } from '#domain/market/kline';

/** How many sessions have to be loaded up to the last bar. */
const SESSIONS: Partial<Record<IndicatorKind, number>> = { vwap: 1, pivots: 2 };

/**
 * Computes the indicators of one chart, and adds their values to the changes of its bars that the page gets. An update
 * costs one step for each of its bars; all other changes begin with the first bar again.
 */
export class ChartIndicators {
  /** How many sessions of bars are needed up to the last one (domain.md#sessions-of-indicators). */
  readonly sessions: number;
  readonly #period: ChartPeriod;
  readonly #specs: readonly IndicatorSpec[];
  #running: { key: string; width: number; next: Indicator }[] = [];
  /** Nothing was computed yet. */
  isNew = true;

  constructor(period: ChartPeriod, specs: readonly IndicatorSpec[]) {
    this.#period = period;
    this.#specs = specs;
    this.sessions = Math.max(0, ...specs.map(({ kind }) => SESSIONS[kind] ?? 0));
  }

  /** Adds the values of all bars to a change. `all` is laid out as `Candles.bars`. `whole`: no bar is older. */
  replace(change: Candles, all: Float64Array, whole: boolean): void {
    this.isNew = false;
    this.#running = this.#specs.map((spec) => ({
      key: indicatorKey(spec),
      width: INDICATORS[spec.kind].lines.length,
      next: createIndicator(spec, { period: this.#period, whole }),
    }));
    change.indicators = this.#step(all, 'replace', false);
  }

  /** Adds the values of a change's bars to it. The first of them is the last one of the change before. */
  update(change: Candles): void {
    change.indicators = this.#step(change.bars, 'update', true);
  }

  #step(
    numbers: Float64Array,
    change: IndicatorValues['change'],
    corrects: boolean,
  ): IndicatorValues[] {
    const bars = barsOf(numbers);
    return this.#running.map(({ key, width, next }) => {
      const values = new Float64Array(bars.length * width);
      bars.forEach((bar, at) => {
        values.set(next(bar, corrects && at === 0), at * width);
      });
      return { key, change, values };
    });
  }
}

function barsOf(numbers: Float64Array): Bar[] {
  const bars: Bar[] = [];
  for (let at = 0; at < numbers.length; at += BAR_STRIDE) {
    const [time = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers.subarray(
      at,
      at + BAR_STRIDE,
    );
    bars.push({ time: toUnixSeconds(time), open, high, low, close, volume });
  }
  return bars;
}
