import { describe, expect, it } from 'vitest';
import type { IndicatorValues } from '#domain/market/candles';
import { Values } from '../../../../../../src/features/trading/chart/indicators/values';

const change = (kind: IndicatorValues['change'], ...values: number[]): IndicatorValues => ({
  key: 'macd 12 26 9',
  change: kind,
  values: Float64Array.from(values),
});
const rows = (values: Values, count: number) =>
  Array.from({ length: count }, (_, row) => [values.at(row, 0), values.at(row, 1)]);

describe('the values of an indicator', () => {
  it('are those of each bar, line by line', () => {
    const values = new Values(2);
    expect(values.at(0, 0)).toBeNaN();
    values.apply(change('replace', 1, 10, 2, 20), 2);
    expect(rows(values, 2)).toEqual([
      [1, 10],
      [2, 20],
    ]);
    expect(values.at(-1, 0)).toBeNaN();
    expect(values.at(2, 0)).toBeNaN();
  });

  it('follow corrections of the last bar and new ones', () => {
    const values = new Values(2);
    values.apply(change('replace', 1, 10, 2, 20), 2);
    values.apply(change('update', 3, 30), 2);
    values.apply(change('update', 4, 40, 5, 50), 3);
    for (let bars = 4; bars < 50; bars++)
      values.apply(change('update', bars, 0, bars + 2, bars), bars);
    expect(rows(values, 4)).toEqual([
      [1, 10],
      [4, 40],
      [4, 0],
      [5, 0],
    ]);
    expect(values.at(48, 0)).toBe(51);
    expect(values.at(49, 0)).toBeNaN();
    values.apply(change('replace', 7, 70), 1);
    expect(rows(values, 2)).toEqual([
      [7, 70],
      [Number.NaN, Number.NaN],
    ]);
  });
});
