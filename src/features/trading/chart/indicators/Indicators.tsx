import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { INDICATORS } from '#domain/indicators/catalogue';
import type { Instrument } from '#domain/market/instrument';
import type { ChartPeriod } from '#domain/market/kline';
import { watchIndicators } from '../../../../gateway/indicators';
import { language } from '../../../../i18n/i18n';
import { useValue } from '../../../../signals';
import { useMediaQuery, WIDE } from '../../../../ui/useMediaQuery';
import { onThemeChange } from '../chartColours';
import type { LiveChart } from '../liveChart';
import { IndicatorLegend } from './IndicatorLegend';
import styles from './Indicators.module.css';
import { IndicatorsSheet } from './IndicatorsSheet';
import { IndicatorLayer } from './indicatorLayer';
import { type Colour, PALETTE } from './look';
import { chosen, mostPanes, shownIndicators } from './settings';
import { formatValue, shortOf } from './texts';

export interface IndicatorsProps {
  live: LiveChart;
  instrument: Instrument;
  period: ChartPeriod;
}

/** As a phone held sideways, where header and periods are above the bars too. */
const LOW = '(max-height: 30rem)';

type Palette = Readonly<Record<Colour, string>>;

/** The user's indicators on a chart: what is drawn, its legend, and the sheet that changes them. */
export default function Indicators({
  live,
  instrument: { id, precision },
  period,
}: IndicatorsProps) {
  const shownLanguage = useValue(language);
  const all = useValue(chosen);
  const panes = mostPanes(useMediaQuery(WIDE), useMediaQuery(LOW));
  const shown = useMemo(() => shownIndicators(all, panes), [all, panes]);
  const [layer] = useState(() => new IndicatorLayer());
  const probe = useRef<HTMLSpanElement>(null);
  const [palette, setPalette] = useState<Palette>();

  useEffect(() => {
    live.extend(layer);
    return () => live.extend(undefined);
  }, [live, layer]);
  useEffect(() => onThemeChange(() => setPalette(paletteOf(probe.current))), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: values are written in the language
  useLayoutEffect(() => {
    if (!palette) return;
    layer.show(
      shown.map((each) => ({
        ...each,
        name: shortOf(each),
        colours: each.colours.map((colour) => palette[colour]),
        format: (value) => formatValue(value, INDICATORS[each.kind].unit, precision),
      })),
      palette.grey,
    );
  }, [layer, shown, palette, precision, shownLanguage]);
  useEffect(() => watchIndicators({ instrumentId: id, period }, shown), [id, period, shown]);

  // What lies at the lower end of the bars moves up with it.
  const lower = useValue(layer.lower);
  useLayoutEffect(() => {
    const figure = probe.current?.closest('figure');
    figure?.style.setProperty('--lower-panes', `${lower}px`);
    return () => {
      figure?.style.removeProperty('--lower-panes');
    };
  }, [lower]);

  return (
    <>
      <span ref={probe} className={styles.palette} hidden />
      <IndicatorLegend live={live} layer={layer} shown={shown} precision={precision} />
      <IndicatorsSheet all={all} shown={shown} />
    </>
  );
}

/** The colours as the canvas reads them, in the present theme. */
function paletteOf(probe: HTMLElement | null): Palette | undefined {
  if (!probe) return undefined;
  const colours = PALETTE.map((colour) => {
    probe.style.color = `var(--indicator-${colour})`;
    return [colour, getComputedStyle(probe).color];
  });
  return Object.fromEntries(colours) as Palette;
}
