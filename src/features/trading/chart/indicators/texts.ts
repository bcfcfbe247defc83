import type { IndicatorKind } from '#domain/indicators/catalogue';
import { t } from '../../../../i18n/i18n';
import { type Colour, INDICATOR_STYLES } from '../../../../instruments/indicatorStyle';
import { lineName } from '../../../../instruments/indicatorText';

/** As `Bollinger Bands (BB)`: the name in the shown language, with what traders call it. */
export function nameOf(kind: IndicatorKind): string {
  const name = t(`trade.indicators.name.${kind}`);
  const { short } = INDICATOR_STYLES[kind];
  return name.includes(short) ? name : `${name} (${short})`;
}

export function colourName(colour: Colour): string {
  return colour === 'rising' || colour === 'falling'
    ? lineName(colour)
    : t(`trade.colours.${colour}`);
}
