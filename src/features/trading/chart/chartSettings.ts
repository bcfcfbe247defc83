import { computed } from '@preact/signals-core';
import {
  aBoolean,
  aNumber,
  type ByInstrument,
  byInstrument,
  oneOf,
  stored,
} from '../../../preferences/stored';
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
export const bookLines = stored('chart-book', false, aBoolean);
export const legendFolded = stored('chart-legend-folded', false, aBoolean);
export const pastTrades = stored('chart-trades', true, aBoolean);

/** The id of the instrument that a chart is compared with. */
export const comparisons = stored<ByInstrument<number>>('chart-compare', {}, byInstrument(aNumber));

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
    !bookLines.value &&
    !countdown.value,
);
