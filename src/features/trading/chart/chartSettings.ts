import { computed } from '@preact/signals-core';
import { readFields } from '#domain/core/read';
import { aBoolean, aNumber, oneOf, stored } from '../../../preferences/stored';
import type { AxisMode } from './chartStyle';

/** The kinds of chart (screens.md#chart-settings). */
export const CHART_TYPES = [
  'candles',
  'hollow',
  'bars',
  'line',
  'area',
  'baseline',
  'heikin-ashi',
] as const;
export type ChartType = (typeof CHART_TYPES)[number];

export const AXIS_MODES = ['linear', 'logarithmic', 'percent'] as const satisfies AxisMode[];

export const chartType = stored<ChartType>('chart-type', 'candles', oneOf(...CHART_TYPES));
export const axisMode = stored<AxisMode>('chart-axis', 'linear', oneOf(...AXIS_MODES));
export const sessionBreaks = stored('chart-breaks', false, aBoolean);
export const countdown = stored('chart-countdown', false, aBoolean);
export const pastTrades = stored('chart-trades', true, aBoolean);

/** By the id of an instrument: the id of the one that its chart is compared with. */
export type Comparisons = Readonly<Record<string, number>>;
export const comparisons = stored<Comparisons>('chart-compare', {}, (value) => {
  const fields = readFields(value);
  if (!fields) return undefined;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, other]) => {
      const id = aNumber(other);
      return id === undefined ? [] : [[key, id]];
    }),
  );
});

/** Compares the chart of an instrument with another one, or with none. */
export function compareWith(instrumentId: number, other: number | undefined): void {
  const { [instrumentId]: _, ...rest } = comparisons.value;
  comparisons.value = other === undefined ? rest : { ...rest, [instrumentId]: other };
}

/** Whether the chart of any instrument is other than plain candles on a linear axis. */
export const isPlain = computed(
  () =>
    chartType.value === 'candles' &&
    axisMode.value === 'linear' &&
    !sessionBreaks.value &&
    !countdown.value,
);
