import type { IndicatorKind, IndicatorParameterName } from '#domain/indicators/catalogue';
import { t } from '../../../../i18n/i18n';
import { type Colour, INDICATOR_STYLES } from '../../../../instruments/indicatorStyle';
import { LATIN, lineName } from '../../../../instruments/indicatorText';

/** As `Bollinger Bands (BB)`: the name in the shown language, with what traders call it. */
export function nameOf(kind: IndicatorKind): string {
  const name = t(`trade.indicators.name.${kind}`);
  const { short } = INDICATOR_STYLES[kind];
  return name.includes(short) ? name : `${name} (${short})`;
}

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
