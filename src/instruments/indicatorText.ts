import type { IndicatorDefinition, IndicatorSpec } from '#domain/indicators/catalogue';
import { formatDecimals, formatPrice, formatVolume } from '../i18n/format';
import { LOOKS } from './indicatorLook';

/** A value as legend and axis show it. */
export function formatValue(
  value: number,
  unit: IndicatorDefinition['unit'],
  precision: number,
): string {
  if (unit === 'volume') return formatVolume(value);
  // Two bars may differ by less than a hundred points.
  const digits = { price: precision, difference: precision + 1, number: 2 };
  return formatPrice(value, digits[unit]);
}

/** As `BB 20 2`. */
export function shortOf({ kind, parameters }: IndicatorSpec): string {
  return [LOOKS[kind].short, ...parameters.map((value) => formatDecimals(value, 3))].join(' ');
}
