import type {
  IndicatorKind,
  IndicatorLine,
  IndicatorParameterName,
} from '#domain/indicators/catalogue';
import { t } from '../../../../i18n/i18n';
import { type Colour, INDICATOR_STYLES } from '../../../../instruments/indicatorStyle';

/** As `Bollinger Bands (BB)`: the name in the shown language, with what traders call it. */
export function nameOf(kind: IndicatorKind): string {
  const name = t(`trade.indicators.name.${kind}`);
  const { short } = INDICATOR_STYLES[kind];
  return name.includes(short) ? name : `${name} (${short})`;
}

/** Names that traders write in Latin letters in all languages. */
const LATIN = {
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

/** Parameters that are called as the line that they make. */
const OF_LINES = ['conversion', 'base', 'spanB', 'signal'] as const;

export function parameterName(name: IndicatorParameterName): string {
  if (name === 'percentK' || name === 'percentD') return LATIN[name];
  const line = OF_LINES.find((each) => each === name);
  if (line) return lineName(line);
  return t(`trade.indicators.parameter.${name as Exclude<typeof name, (typeof OF_LINES)[number]>}`);
}

export function colourName(colour: Colour): string {
  return colour === 'rising' || colour === 'falling'
    ? lineName(colour)
    : t(`trade.colours.${colour}`);
}
