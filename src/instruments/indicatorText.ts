import type {
  IndicatorDefinition,
  IndicatorLine,
  IndicatorSpec,
} from '#domain/indicators/catalogue';
import { formatDecimals, formatPrice, formatVolume } from '../i18n/format';
import { t } from '../i18n/i18n';
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

/** Names that traders write in Latin letters in all languages. */
export const LATIN = {
  percentK: '%K',
  percentD: '%D',
  adx: 'ADX',
  plusDi: '+DI',
  minusDi: '−DI',
  macd: 'MACD',
  pivot: 'P',
  r1: 'R1',
  s1: 'S1',
  r2: 'R2',
  s2: 'S2',
  r3: 'R3',
  s3: 'S3',
} as const;

/** The name of a line beside the others of its indicator. */
export function lineName(line: IndicatorLine): string {
  if (line in LATIN) return LATIN[line as keyof typeof LATIN];
  return t(`trade.indicators.line.${line as Exclude<NamedLine, keyof typeof LATIN>}`);
}

/** Lines that stand alone need no name of their own. */
type NamedLine = Exclude<
  IndicatorLine,
  'average' | 'vwap' | 'psar' | 'rsi' | 'atr' | 'cci' | 'obv' | 'williams' | 'momentum'
>;
