import type { IndicatorDefinition, IndicatorSpec } from '#domain/indicators/catalogue';
import { formatDecimals, formatPrice, formatVolume } from '../i18n/format';
import { INDICATOR_STYLES } from './indicatorStyle';

/** Volumes are sums to so many decimals (domain/market/kline.ts). */
const VOLUME_SCALE = 8;

/** Decimals of a value, for an instrument whose prices have `precision`. */
export function decimalsOf(unit: IndicatorDefinition['unit'], precision: number): number {
  // Two bars may differ by less than a hundred points.
  return { price: precision, difference: precision + 1, number: 2, volume: VOLUME_SCALE }[unit];
}

/** A value as legend and axis show it. */
export function formatValue(
  value: number,
  unit: IndicatorDefinition['unit'],
  precision: number,
): string {
  return unit === 'volume' ? formatVolume(value) : formatPrice(value, decimalsOf(unit, precision));
}

/** As `BB 20 2`. */
export function shortOf({ kind, parameters }: IndicatorSpec): string {
  return [
    INDICATOR_STYLES[kind].short,
    ...parameters.map((value) => formatDecimals(value, 3)),
  ].join(' ');
}
