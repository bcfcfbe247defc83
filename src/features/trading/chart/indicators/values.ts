import type { IndicatorValues } from '#domain/market/candles';

/** The values of one indicator, a row for each bar of the chart. */
export class Values {
  readonly width: number;
  #numbers: Float64Array = new Float64Array();
  #rows = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** NaN where there is none. */
  at(row: number, line: number): number {
    if (row < 0 || row >= this.#rows) return Number.NaN;
    return this.#numbers[row * this.width + line] ?? Number.NaN;
  }

  /** Applies a change. The last row is that of the last of `bars` bars. */
  apply({ change, values }: IndicatorValues, bars: number): void {
    if (change === 'replace') {
      this.#numbers = values;
      this.#rows = values.length / this.width;
      return;
    }
    const used = bars * this.width;
    if (used > this.#numbers.length) {
      const grown = new Float64Array(used * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.set(values, Math.max(0, used - values.length));
    this.#rows = bars;
  }
}
